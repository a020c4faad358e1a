/** A place in the write-ahead log, in bytes from its beginning. */
export type Lsn = bigint;

/** Reads a place as PostgreSQL writes it: two hexadecimal numbers of 32 bits. */
export function readLsn(text: string): Lsn {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Writes a place as PostgreSQL does. */
export function writeLsn(lsn: Lsn): string {
  return `${hex(lsn >> 32n)}/${hex(lsn & 0xffff_ffffn)}`;
}

function hex(value: bigint): string {
  return value.toString(16).toUpperCase();
}

/** Where the segment begins that a place is in. */
export function segmentStart(lsn: Lsn, segmentBytes: number): Lsn {
  return lsn - (lsn % BigInt(segmentBytes));
}

/** The file of the segment that begins at a place. */
export function segmentName(timeline: number, start: Lsn, segmentBytes: number): string {
  const number = start / BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes);
  return [BigInt(timeline), number / perHigh, number % perHigh].map((part) => hex(part).padStart(8, '0')).join('');
}
