const LF = 0x0a;
/** RFC 4954 4: room for the longest answer of an authentication exchange. */
const LONGEST_LINE = 12_288;
const OUT_OF_PLACE = /[\r\n\0]/;

export type Line = { text: string } | { fault: 'bare' | 'long' };

/** Cuts what a client sends into command lines. Only CRLF ends a line (RFC 5321 2.3.8). */
export class LineReader {
  #held = '';
  #long = false;

  /** Reads up to the end of a line, or of the chunk: then there is no line yet. */
  read(chunk: Buffer, from: number): { next: number; line: Line | null } {
    const end = chunk.indexOf(LF, from);
    const next = end === -1 ? chunk.length : end + 1;
    this.#hold(chunk, from, next);
    if (end === -1) return { next, line: null };
    const line = this.#finish();
    this.#held = '';
    this.#long = false;
    return { next, line };
  }

  #hold(chunk: Buffer, from: number, to: number): void {
    const room = LONGEST_LINE - this.#held.length;
    if (to - from > room) this.#long = true;
    this.#held += chunk.toString('latin1', from, Math.min(to, from + Math.max(0, room)));
  }

  #finish(): Line {
    if (this.#long) return { fault: 'long' };
    const text = this.#held.slice(0, -2);
    return !this.#held.endsWith('\r\n') || OUT_OF_PLACE.test(text) ? { fault: 'bare' } : { text };
  }
}
