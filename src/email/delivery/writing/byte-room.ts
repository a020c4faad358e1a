/** Room for so many bytes, however many share it. */
export interface ByteRoom {
  /** Takes room, or waits in line for it; what is larger than the room takes all of it. */
  take(bytes: number): Promise<void>;
  give(bytes: number): void;
}

/** Builds room for messages that are written out whole: a few large ones must not take all the memory there is. */
export function createByteRoom(size: number): ByteRoom {
  const waiting: { bytes: number; enter(): void }[] = [];
  let left = size;

  function admit(): void {
    for (let first = waiting[0]; first !== undefined && first.bytes <= left; first = waiting[0]) {
      waiting.shift();
      left -= first.bytes;
      first.enter();
    }
  }

  return {
    take: (bytes) =>
      new Promise((enter) => {
        waiting.push({ bytes: Math.min(bytes, size), enter });
        admit();
      }),
    give(bytes) {
      left += Math.min(bytes, size);
      admit();
    },
  };
}
