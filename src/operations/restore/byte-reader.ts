/** Reads a stream in the pieces that its reader wants. */
export interface ByteReader {
  /** So many bytes, or null at the end of the stream. */
  take(size: number): Promise<Buffer | null>;
  /** So many bytes as they come; throws where the stream has fewer. */
  pass(size: number): AsyncGenerator<Buffer>;
  /** At most so many bytes as they come. */
  passUpTo(size: number): AsyncGenerator<Buffer>;
  /** Whether there is nothing left. */
  isAtEnd(): Promise<boolean>;
}

export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function isAtEnd(): Promise<boolean> {
    while (held.length === 0) {
      const { done, value } = await pieces.next();
      if (done === true) return true;
      held = value;
    }
    return false;
  }

  async function* passUpTo(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0 && !(await isAtEnd()); ) {
      const piece = held.subarray(0, left);
      held = held.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async function* pass(size: number): AsyncGenerator<Buffer> {
    let left = size;
    for await (const piece of passUpTo(size)) {
      left -= piece.length;
      yield piece;
    }
    if (left > 0) throw new Error('the archive of the backup ends early');
  }

  return {
    pass,
    passUpTo,
    isAtEnd,
    async take(size) {
      if (await isAtEnd()) return null;
      const taken: Buffer[] = [];
      for await (const piece of pass(size)) taken.push(piece);
      return Buffer.concat(taken);
    },
  };
}
