import { invalidField } from '../../../platform/errors.ts';

const LONGEST_BOUNDARY = 200; // RFC 2046 5.1.1 says 70, which not everybody keeps to
const [TAB, SPACE, DASH] = [0x09, 0x20, 0x2d];

/**
 * Where the parts of a multipart body stand (RFC 2046 5.1.1), as many as are wanted; the CRLF before a border belongs to
 * the border.
 */
export function splitParts(
  bytes: Buffer,
  from: number,
  to: number,
  boundary: string,
  most = Number.POSITIVE_INFINITY,
): { from: number; to: number }[] {
  if (boundary === '' || boundary.length > LONGEST_BOUNDARY)
    throw invalidField('Content-Type', 'has no usable boundary');
  const border = Buffer.from(`\r\n--${boundary}`);
  const body = bytes.subarray(0, to);
  const parts: { from: number; to: number }[] = [];
  let begun = -1;
  let at = body.indexOf(border, from - 2); // the line end in front of the body counts
  while (at !== -1 && parts.length < most) {
    const { next, last } = readBorder(body, at + border.length);
    if (next === -1) {
      at = body.indexOf(border, at + 2); // a longer boundary that begins alike
      continue;
    }
    if (begun !== -1) parts.push({ from: begun, to: Math.max(begun, at) });
    begun = last ? -1 : next;
    at = last ? -1 : body.indexOf(border, next - 2);
  }
  if (begun !== -1 && parts.length < most) parts.push({ from: begun, to });
  if (parts.length === 0) throw invalidField('Content-Type', 'names parts that cannot be found');
  return parts;
}

/** Reads the rest of a border line: where the next part begins, or -1 where it is no border. */
function readBorder(body: Buffer, from: number): { next: number; last: boolean } {
  const last = body[from] === DASH && body[from + 1] === DASH;
  let at = last ? from + 2 : from;
  while (body[at] === SPACE || body[at] === TAB) at += 1;
  if (at >= body.length) return { next: body.length, last };
  return { next: body.toString('latin1', at, at + 2) === '\r\n' ? at + 2 : -1, last };
}
