import { AppError, invalidField } from '../../../errors.ts';

/** How many keys all objects of a parsed value have together. Its depth is known to be small. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const [key, inner] of Object.entries(value)) {
    // None was sent: JSON.parse misread one, because of a body that came by another door.
    if (key.includes('\\')) throw new AppError('unavailable', 'Please try again', { retryAfterSeconds: 1 });
    count += countKeys(inner) + (Array.isArray(value) ? 0 : 1);
  }
  return count;
}

/** Puts the number of its file in place of each content: every string there is one that the scanner left behind. */
export function numberContents(attachments: unknown[]): void {
  for (const attachment of attachments) {
    if (typeof attachment !== 'object' || attachment === null || !('content' in attachment)) continue;
    if (typeof attachment.content !== 'string') throw invalidField('attachments.content', 'must be a string');
    attachment.content = Number(attachment.content);
  }
}
