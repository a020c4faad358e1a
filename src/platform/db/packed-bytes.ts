/**
 * The bytes of many rows as one binary value, of which each row takes its part: an array of bytea would travel as hex
 * text, which is slower than single inserts.
 */
export class PackedBytes {
  readonly #parts: Buffer[] = [];
  #next = 1; // SQL counts from one

  /** Adds a part and tells where it begins. */
  place(part: Buffer): number {
    const at = this.#next;
    this.#parts.push(part);
    this.#next += part.length;
    return at;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** A few bytes as JSON carries them to a bytea. */
export function toHex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
