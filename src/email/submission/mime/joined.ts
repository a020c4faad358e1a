/** The bytes of several pieces; of one alone they are not copied. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...more] = pieces;
  return only !== undefined && more.length === 0 ? only : Buffer.concat(pieces);
}
