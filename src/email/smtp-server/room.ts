/** The size that nearly every message fits in. */
export const SMALL = 16 * 1024;
const MOST_SPARE = 64;

/**
 * The memory that all messages under way may take together. Small buffers are used again: new ones for every
 * message would keep the garbage collector busy, whose cost is by the bytes outside the heap.
 */
export class Room {
  #left: number;
  readonly #spare: Buffer<ArrayBuffer>[] = [];

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** A buffer of this size, or null where not enough is left. */
  take(bytes: number): Buffer<ArrayBuffer> | null {
    if (bytes > this.#left) return null;
    this.#left -= bytes;
    return (bytes === SMALL ? this.#spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(bytes);
  }

  /** Takes back as many bytes as were taken; the buffer itself may have been given to a thread since, and is empty then. */
  giveBack(bytes: number, buffer: Buffer<ArrayBuffer>): void {
    this.#left += bytes;
    if (buffer.length === SMALL && this.#spare.length < MOST_SPARE) this.#spare.push(buffer);
  }
}
