import type { Kind } from './draft/kinds.ts';

/** The kinds as the palette offers them. */
export const KIND_GROUPS: Record<'write' | 'choose' | 'prove' | 'arrange' | 'behind', readonly Kind[]> = {
  write: ['text', 'long_text', 'email', 'phone', 'number', 'date', 'time', 'address'],
  choose: ['radio', 'select', 'checkboxes', 'yes_no', 'rating', 'matrix'],
  prove: ['file', 'signature', 'consent'],
  arrange: ['heading', 'section', 'group'],
  behind: ['calculated', 'hidden'],
};
