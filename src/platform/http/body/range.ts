import type { ByteRange } from '../../blob/blob-store.ts';

const RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The one range of bytes that a request asks for (RFC 9110 14.2); null where the whole is meant, which is also the
 * answer to what is no range or several. A range beyond the end cannot be satisfied, and is undefined.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return fromEnd(Number(last), size);
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return undefined;
  return { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

function fromEnd(length: number, size: number): ByteRange | undefined {
  if (length === 0 || size === 0) return undefined;
  return { start: Math.max(0, size - length), end: size };
}
