import type { ByteRange } from '../blob/blob-store.ts';
import { AppError } from '../errors.ts';

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The one range of bytes that a request asks for (RFC 9110 14.2); null where the whole is meant, which is also the
 * answer to what is no range or several. A range beyond the end cannot be satisfied.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return fromEnd(Number(last), size);
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) throw unsatisfiable(size);
  return { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

function fromEnd(length: number, size: number): ByteRange {
  if (length === 0 || size === 0) throw unsatisfiable(size);
  return { start: Math.max(0, size - length), end: size };
}

function unsatisfiable(size: number): AppError {
  return new AppError('range_not_satisfiable', `The file has ${size} bytes`);
}
