import { type Room, SMALL } from './room.ts';

/** RFC 5321 4.5.3.1.6: 1000 octets with the CRLF, without the dot of transparency. */
const LONGEST_LINE = 998;
/** Never one run of memory for the whole message: to copy tens of megabytes into a larger one takes everybody's time. */
const LARGEST_PIECE = 2 ** 20;
const [NUL, LF, CR, DOT] = [0x00, 0x0a, 0x0d, 0x2e];

/** Where in a line the reader stands. */
const AT = { lineStart: 0, text: 1, cr: 2, dot: 3, dotCr: 4 } as const;
type Place = (typeof AT)[keyof typeof AT];

export type DataFault = 'bare' | 'long' | 'size' | 'crowded';

/**
 * Collects the data of one message. Nothing but CRLF.CRLF ends it (RFC 5321 4.1.1.4): a lone CR or LF is never a line
 * end, or two servers disagree on where the message stops and the rest is smuggled in as commands. What is at fault is
 * read to its end and thrown away.
 */
export class DataReader {
  fault: DataFault | null = null;
  /** How many octets came in, those thrown away included. */
  received = 0;
  readonly #limit: number;
  readonly #room: Room;
  /** With their sizes, since what was given to a thread is empty. */
  #taken: { piece: Buffer<ArrayBuffer>; size: number }[] = [];
  #free = 0;
  #length = 0;
  #line = 0;
  #at: Place = AT.lineStart;

  constructor(limit: number, room: Room) {
    this.#limit = limit;
    this.#room = room;
  }

  /** What was collected, without the dots of transparency. */
  get pieces(): Buffer<ArrayBuffer>[] {
    const unused = this.#free;
    return this.#taken.map(({ piece, size }, index) =>
      index === this.#taken.length - 1 ? piece.subarray(0, size - unused) : piece,
    );
  }

  /** Reads on; answers where the data ended in the chunk, or -1 where it goes on. */
  read(chunk: Buffer, from: number): number {
    let kept = from; // everything before it is collected
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at] as number;
      switch (this.#at) {
        case AT.lineStart:
          if (byte === DOT) {
            this.#keep(chunk, kept, at);
            kept = at + 1;
            this.#at = AT.dot;
            at += 1;
            break;
          }
          this.#at = AT.text;
          break;
        case AT.dot:
          if (byte === CR) {
            this.#at = AT.dotCr;
            at += 1;
          } else this.#at = AT.text;
          break;
        case AT.dotCr:
          if (byte === LF) {
            this.received += at + 1 - from;
            return at + 1;
          }
          this.#at = AT.cr;
          break;
        case AT.cr:
          if (byte === LF) {
            this.#at = AT.lineStart;
            this.#line = 0;
            at += 1;
          } else {
            this.#refuse('bare');
            this.#at = AT.text;
          }
          break;
        case AT.text:
          at = this.#readText(chunk, at);
      }
    }
    // The CR after a lone dot is not content, but then it stands alone and nothing is kept.
    if (this.#at !== AT.dotCr) this.#keep(chunk, kept, at);
    this.received += chunk.length - from;
    return -1;
  }

  /** Gives the memory back. */
  release(): void {
    for (const { piece, size } of this.#taken) this.#room.giveBack(size, piece);
    this.#taken = [];
    this.#free = 0;
    this.#length = 0;
  }

  /** Runs to the end of the line; most octets of a message pass through here only. */
  #readText(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte > CR) continue;
      if (byte === CR) break;
      if (byte === LF || byte === NUL) this.#refuse('bare');
    }
    this.#line += at - from;
    if (this.#line > LONGEST_LINE) this.#refuse('long');
    if (at === chunk.length) return at;
    this.#at = AT.cr;
    return at + 1;
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    if (this.fault !== null || from >= to) return;
    const length = this.#length + to - from;
    if (length > this.#limit) return this.#refuse('size');
    this.#length = length;
    for (let at = from; at < to; ) {
      if (this.#free === 0 && !this.#addPiece()) return this.#refuse('crowded');
      const { piece, size } = this.#taken.at(-1) as { piece: Buffer; size: number };
      const copied = chunk.copy(piece, size - this.#free, at, to);
      this.#free -= copied;
      at += copied;
    }
  }

  /** Makes room for as much again as there is, up to the largest piece. */
  #addPiece(): boolean {
    const held = this.#taken.reduce((sum, { size }) => sum + size, 0);
    const size = Math.min(Math.max(SMALL, held), LARGEST_PIECE);
    const piece = this.#room.take(size);
    if (piece === null) return false;
    this.#taken.push({ piece, size });
    this.#free = size;
    return true;
  }

  /** The first fault names the reply, except that smuggling outweighs whatever came before it. */
  #refuse(fault: DataFault): void {
    if (this.fault === null || fault === 'bare') this.fault = fault;
    this.release();
  }
}
