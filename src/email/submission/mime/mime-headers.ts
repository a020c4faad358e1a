import { invalidField } from '../../../platform/errors.ts';

export interface Header {
  /** The name in lower case. */
  key: string;
  name: string;
  /** Unfolded, with its encoded words. */
  value: string;
}

const FIELD = /^([!-9;-~]+):(.*)$/s; // RFC 5322 3.6.8
/** White space that a line was folded at, which says no more than a space (RFC 5322 3.2.2): mail programs fold with tabs. */
const TABBED = /^[ \t]*\t[ \t]*/;
const MOST_BYTES = 256 * 1024;
const END = '\r\n\r\n';

/** Reads the headers that stand at the beginning of a part, and where its body begins. */
export function readHeaderBlock(bytes: Buffer, from: number, to: number): { headers: Header[]; bodyAt: number } {
  if (bytes.toString('latin1', from, Math.min(to, from + 2)) === '\r\n') return { headers: [], bodyAt: from + 2 };
  const found = bytes.subarray(from, to).indexOf(END);
  const end = found === -1 ? to : from + found;
  if (end - from > MOST_BYTES) throw invalidField('headers', 'are too long');
  const headers: Header[] = [];
  const lines = bytes.toString('utf8', from, end).split('\r\n');
  for (let at = 0; at < lines.length; ) {
    const folded = [lines[at] as string];
    for (at += 1; at < lines.length && /^[ \t]/.test(lines[at] as string); at += 1) {
      folded.push((lines[at] as string).replace(TABBED, ' '));
    }
    const text = folded.join('');
    if (text === '') continue; // the end of a part without a body
    const [, name, value] = FIELD.exec(text) ?? [];
    if (name === undefined || value === undefined) throw invalidField('headers', 'holds an invalid header');
    headers.push({ key: name.toLowerCase(), name, value: value.trim() });
  }
  return { headers, bodyAt: found === -1 ? to : end + END.length };
}
