import { type BodyLimits, overLimit } from './limits.ts';

/** Most bodies have less; so little comes out of a pool that Node keeps. */
const FIRST_ROOM = 1_024;

/** Collects what is left of a body without its files; copies, so that no chunk is kept alive by a few of its bytes. */
export class Skeleton {
  readonly #limits: BodyLimits;
  #bytes = Buffer.alloc(0);
  #length = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#limits.skeletonBytes) throw overLimit(this.#limits, 'skeletonBytes');
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(FIRST_ROOM, this.#bytes.length * 2, length));
      this.bytes.copy(grown);
      this.#bytes = grown;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }
}
