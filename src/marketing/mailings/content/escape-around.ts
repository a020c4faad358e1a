import { findMustaches } from '../../../email/index.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Plain text as HTML, with its mustaches as they are. */
export function escapeAroundMustaches(text: string, lineBreak = '\n'): string {
  const escapeText = (piece: string) =>
    piece.replace(/[&<>"]/g, (char) => ENTITIES[char] as string).replace(/\r\n?|\n/g, lineBreak);
  let escaped = '';
  let done = 0;
  for (const { from, to } of findMustaches(text)) {
    escaped += escapeText(text.slice(done, from)) + text.slice(from, to);
    done = to;
  }
  return escaped + escapeText(text.slice(done));
}
