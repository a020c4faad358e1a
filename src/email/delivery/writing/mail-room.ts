import type { Piece } from '../../mime/part.ts';
import { LAST_LINE, needsStuffing, stuffDots } from '../dialogue/dots.ts';

const HEAD_BYTES = 16 * 1024;
const BODY_BYTES = 32 * 1024;
/** How many rooms are kept for later, and up to which size: what mail is usually written in. */
const MOST_KEPT = 64;
const LARGEST_KEPT = HEAD_BYTES + 256 * 1024;

/**
 * Room in which one mail after the other is written. With a buffer of their own for each mail, buffers would be most of the
 * memory that mail takes, and the whole heap would be collected for them. The head is written last, right before the body,
 * as it holds the signature of it.
 */
export class MailRoom {
  #bytes = Buffer.allocUnsafeSlow(HEAD_BYTES + BODY_BYTES);
  #bodyEnd = HEAD_BYTES;

  get size(): number {
    return this.#bytes.length;
  }

  /** Writes a body and answers where it stands. */
  writeBody(pieces: readonly Piece[]): Buffer {
    const needed = pieces.reduce((sum, { length }) => sum + length, HEAD_BYTES + LAST_LINE.length);
    if (needed > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(roomFor(needed));
    this.#bodyEnd = HEAD_BYTES;
    for (const piece of pieces) {
      if (typeof piece === 'string') this.#bytes.write(piece, this.#bodyEnd, 'latin1');
      else piece.copy(this.#bytes, this.#bodyEnd);
      this.#bodyEnd += piece.length;
    }
    return this.#bytes.subarray(HEAD_BYTES, this.#bodyEnd);
  }

  /** Writes the head of the body that stands there, and answers the whole as DATA carries it. */
  writeHead(head: string): Buffer {
    const bytes = Buffer.byteLength(head);
    if (bytes > HEAD_BYTES) {
      return stuffDots(Buffer.concat([Buffer.from(head), this.#bytes.subarray(HEAD_BYTES, this.#bodyEnd)]));
    }
    const start = HEAD_BYTES - bytes;
    this.#bytes.write(head, start);
    const whole = this.#bytes.subarray(start, this.#bodyEnd);
    if (needsStuffing(whole)) return stuffDots(whole);
    LAST_LINE.copy(this.#bytes, this.#bodyEnd);
    return this.#bytes.subarray(start, this.#bodyEnd + LAST_LINE.length);
  }
}

/** The next mail is about as large as this one, unless this one is uncommonly so. */
function roomFor(bytes: number): number {
  return bytes > LARGEST_KEPT ? bytes : Math.min(LARGEST_KEPT, Math.ceil(bytes * 1.25));
}

/** Rooms that go from mail to mail. */
export class MailRooms {
  readonly #free: MailRoom[] = [];

  take(): MailRoom {
    return this.#free.pop() ?? new MailRoom();
  }

  /** Takes back a room of which nothing is left to be sent. */
  give(room: MailRoom): void {
    if (this.#free.length < MOST_KEPT && room.size <= LARGEST_KEPT) this.#free.push(room);
  }
}
