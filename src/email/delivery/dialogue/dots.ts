const DOT = 46;
const LINE_END = Buffer.from('\r\n');
const DOTTED_LINE = Buffer.from('\r\n.');

/** What ends a message. */
export const LAST_LINE = Buffer.from('.\r\n');

/** Whether lines of a message begin with a dot, or the last one has no end. */
export function needsStuffing(mime: Buffer): boolean {
  return mime[0] === DOT || mime.indexOf(DOTTED_LINE) !== -1 || !mime.subarray(-2).equals(LINE_END);
}

/** Doubles leading dots and ends with the dot of its own (RFC 5321 4.5.2). */
export function stuffDots(mime: Buffer): Buffer {
  if (!needsStuffing(mime)) return Buffer.concat([mime, LAST_LINE]);
  const text = mime.toString('latin1');
  const stuffed = text.replaceAll('\r\n.', '\r\n..');
  const ended = stuffed.endsWith('\r\n') ? stuffed : `${stuffed}\r\n`;
  return Buffer.from(`${ended.startsWith('.') ? '.' : ''}${ended}.\r\n`, 'latin1');
}
