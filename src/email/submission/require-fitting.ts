import { invalidField } from '../../platform/errors.ts';
import { MOST_BODY_BYTES } from './rules.ts';

/** Throws, with the field named, where a text is longer than a message may be. */
export function requireFitting(field: string, text: string | null): void {
  if (text === null || text.length * 3 <= MOST_BODY_BYTES) return; // no character takes more bytes than that
  if (Buffer.byteLength(text) > MOST_BODY_BYTES) throw invalidField(field, 'takes at most 5 MB');
}
