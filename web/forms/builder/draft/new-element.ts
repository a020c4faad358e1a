import type { Plain } from '../../../../src/forms/model/compile/settings.ts';
import { words } from '../../../words/builder/kinds.ts';
import type { Kind } from './kinds.ts';
import { nameFrom } from './names.ts';

const TEN_MB = 10_000_000;

/** What each kind of element has when it is new, beside its words. */
const PARTS: Record<Kind, Plain> = {
  text: { type: 'text', max_length: 200 },
  long_text: { type: 'long_text' },
  number: { type: 'number' },
  email: { type: 'email' },
  phone: { type: 'phone' },
  date: { type: 'date' },
  time: { type: 'time' },
  address: { type: 'address' },
  radio: { type: 'radio', options: words.newOptions },
  select: { type: 'select', options: words.newOptions },
  checkboxes: { type: 'checkboxes', options: words.newOptions },
  yes_no: { type: 'yes_no' },
  rating: { type: 'rating', min: 1, max: 5 },
  matrix: { type: 'matrix', rows: words.newRows, columns: words.newColumns },
  file: { type: 'file', accept: ['image/*', '.pdf'], max_files: 1, max_size: TEN_MB },
  signature: { type: 'signature' },
  consent: { type: 'consent', text: words.newConsent, required: true },
  hidden: { type: 'hidden', prefill: true },
  calculated: { type: 'calculated', formula: '0' },
  heading: { type: 'heading' },
  section: { type: 'section', fields: [] },
  group: { type: 'repeating_group', fields: [] },
};

/** An element of a kind as it is when it is put on a page. */
export function newElement(kind: Kind): Plain {
  const label = words.kinds[kind].newLabel;
  if (kind === 'heading') return { ...PARTS[kind], text: label };
  if (kind === 'section') return { ...PARTS[kind], title: label };
  const { type, ...rest } = PARTS[kind];
  return { type, name: nameFrom(label, new Set()), label, ...rest };
}
