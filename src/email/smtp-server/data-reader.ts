import { type Room, SMALL } from './room.ts';

/** RFC 5321 4.5.3.1.6: 1000 octets with the CRLF, without the dot of transparency. */
const LONGEST_LINE = 998;
const NONE = Buffer.alloc(0);
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
  #bytes: Buffer<ArrayBuffer> = NONE;
  #taken = 0;
  #length = 0;
  #line = 0;
  #at: Place = AT.lineStart;

  constructor(limit: number, room: Room) {
    this.#limit = limit;
    this.#room = room;
  }

  /** What was collected, without the dots of transparency. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
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
    if (this.#taken > 0) this.#room.giveBack(this.#taken, this.#bytes);
    this.#bytes = NONE;
    this.#taken = 0;
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
    if (length > this.#bytes.length && !this.#grow(length)) return this.#refuse('crowded');
    chunk.copy(this.#bytes, this.#length, from, to);
    this.#length = length;
  }

  /** Doubles, so that each octet is copied twice at most on average. */
  #grow(needed: number): boolean {
    const grown = this.#room.take(Math.max(SMALL, this.#bytes.length * 2, needed));
    if (grown === null) return false;
    this.#bytes.copy(grown, 0, 0, this.#length);
    if (this.#taken > 0) this.#room.giveBack(this.#taken, this.#bytes);
    this.#bytes = grown;
    this.#taken = grown.length;
    return true;
  }

  /** The first fault names the reply, except that smuggling outweighs whatever came before it. */
  #refuse(fault: DataFault): void {
    if (this.fault === null || fault === 'bare') this.fault = fault;
    this.release();
  }
}
