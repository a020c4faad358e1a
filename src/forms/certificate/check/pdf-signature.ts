import { requireThat } from './broken.ts';
import { type Bytes, bytesOfHex, joined, latin1 } from './bytes.ts';
import { readFirst } from './der.ts';

/** The two halves of a sealed PDF. */
export interface SealedPdf {
  /** All bytes but those of the signature. */
  signed: Bytes;
  signature: Bytes;
}

const RANGE = /\/ByteRange \[0 (\d{1,10}) +(\d{1,10}) +(\d{1,10}) *\]/y;
const HEX = /^<((?:[0-9A-F]{2})+)>$/;

/**
 * Takes a PDF apart (ISO 32000-2 12.8.1). The signature has to cover everything but itself, from the first byte to the
 * last: what was added behind it would otherwise show without being signed.
 */
export function readSealedPdf(file: Uint8Array): SealedPdf {
  const text = latin1(file);
  requireThat(text.startsWith('%PDF-'), 'the file is no PDF');
  RANGE.lastIndex = text.lastIndexOf('/ByteRange');
  requireThat(RANGE.lastIndex >= 0, 'the file has no signature');
  const [, start, end, length] = (RANGE.exec(text) ?? []).map(Number);
  requireThat(start !== undefined && end !== undefined && length !== undefined, 'the file has no signature');
  requireThat(end + length === file.length, 'the file goes on where the signature ends');
  requireThat(start < end && text.slice(0, start).endsWith('/Contents '), 'the signature covers less than the file');
  const hex = HEX.exec(text.slice(start, end))?.[1];
  requireThat(hex !== undefined, 'the signature cannot be read');
  return { signed: joined([file.subarray(0, start), file.subarray(end)]), signature: withoutPadding(bytesOfHex(hex)) };
}

/** The space that was kept for the signature is longer than it, and filled with zeros. */
function withoutPadding(space: Bytes): Bytes {
  const { whole } = readFirst(space);
  requireThat(
    space.subarray(whole.length).every((byte) => byte === 0),
    'something stands behind the signature',
  );
  return whole;
}
