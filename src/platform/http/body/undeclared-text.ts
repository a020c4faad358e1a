import { isUtf8 } from 'node:buffer';

const BYTE_ORDER_MARK = '\ufeff';
// ISO-8859-1 with quotes, dashes and the euro sign where that has control characters, which nobody writes.
const western = new TextDecoder('windows-1252');

/** Text of which nobody says how it is written: UTF-8 without its mark, or ISO-8859-1 where it is not valid UTF-8. */
export function decodeUndeclared(bytes: Buffer): string {
  if (!isUtf8(bytes)) return western.decode(bytes);
  const text = bytes.toString();
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
