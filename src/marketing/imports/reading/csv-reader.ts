/** How the cells and lines of a file are parted. */
export interface CsvForm {
  delimiter: string;
  newline: '\n' | '\r';
}

/** One row of a file: its cells, or why it cannot be read; and where the file goes on after it. */
export type CsvRecord = { line: number; end: number; nextLine: number } & (
  | { cells: string[]; text: string }
  | { reason: string }
);

const LONGEST_RECORD = 2 ** 20;
const TOO_LONG = 'is longer than 1 MB';
const NEVER_CLOSED = 'has a quote that never closes';
const MISPLACED = 'has a quote in the wrong place';

type Quoted = { cells: string[]; next: number } | 'open' | 'misplaced';

/**
 * Reads CSV (RFC 4180) piece by piece. It holds no more than one row, and never one above 1 MB. Where a quote does not
 * close, that line alone is refused and reading goes on with the next, so that the rest of the file is not lost in it.
 */
export class CsvReader {
  readonly #form: CsvForm;
  #text = '';
  #at = 0;
  /** Where the text at hand begins in the file, in characters, and the line that comes next. */
  #offset: number;
  #line: number;
  #ended = false;
  #skipping = false;

  constructor(form: CsvForm, from: { offset: number; line: number } = { offset: 0, line: 1 }) {
    this.#form = form;
    this.#offset = from.offset;
    this.#line = from.line;
  }

  write(piece: string): void {
    this.#offset += this.#at;
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
  }

  end(): void {
    this.#ended = true;
  }

  /** The next row, or null where more has to be written first, or nothing is left. */
  next(): CsvRecord | null {
    for (;;) {
      const newline = this.#text.indexOf(this.#form.newline, this.#at);
      const lineEnd = newline === -1 ? this.#text.length : newline;
      if (newline === -1 && !this.#ended) {
        if (this.#skipping || lineEnd - this.#at > LONGEST_RECORD) this.#dropAll();
        return null;
      }
      if (newline === -1 && this.#at === lineEnd && !this.#skipping) return null;
      const next = newline === -1 ? lineEnd : newline + 1;
      if (this.#skipping || lineEnd - this.#at > LONGEST_RECORD) return this.#refuse(TOO_LONG, next);
      const text = this.#lineUpTo(lineEnd);
      if (text.includes('"')) return this.#readQuoted(next);
      if (text !== '') return this.#take(text.split(this.#form.delimiter), next);
      this.#advance(next);
    }
  }

  #lineUpTo(end: number): string {
    const withoutReturn = this.#form.newline === '\n' && this.#text[end - 1] === '\r' && end > this.#at ? end - 1 : end;
    return this.#text.slice(this.#at, withoutReturn);
  }

  /** Forgets what is there of a line that is too long. */
  #dropAll(): void {
    this.#skipping = true;
    this.#offset += this.#text.length;
    this.#text = '';
    this.#at = 0;
  }

  #advance(next: number): void {
    for (let from = this.#at; from < next; this.#line += 1) {
      const newline = this.#text.indexOf(this.#form.newline, from);
      from = newline === -1 ? next : newline + 1;
    }
    this.#at = next;
    this.#skipping = false;
  }

  #take(cells: string[], next: number): CsvRecord {
    const line = this.#line;
    const text = this.#text.slice(this.#at, next);
    this.#advance(next);
    return { line, end: this.#offset + this.#at, nextLine: this.#line, cells, text };
  }

  #refuse(reason: string, next: number): CsvRecord {
    const line = this.#line;
    this.#advance(next);
    return { line, end: this.#offset + this.#at, nextLine: this.#line, reason };
  }

  #readQuoted(nextLine: number): CsvRecord | null {
    const read = this.#readCells();
    if (read === 'misplaced') return this.#refuse(MISPLACED, nextLine);
    if (read === 'open') {
      const isOver = this.#ended || this.#text.length - this.#at > LONGEST_RECORD;
      return isOver ? this.#refuse(NEVER_CLOSED, nextLine) : null;
    }
    return read.next - this.#at > LONGEST_RECORD
      ? this.#refuse(TOO_LONG, read.next)
      : this.#take(read.cells, read.next);
  }

  #readCells(): Quoted {
    const text = this.#text;
    const cells: string[] = [];
    for (let at = this.#at; ; ) {
      const cell = text[at] === '"' ? this.#readQuotedCell(at + 1) : this.#readBareCell(at);
      if (cell === 'open') return 'open';
      cells.push(cell.value);
      if (text[cell.end] === this.#form.delimiter) {
        at = cell.end + 1;
        continue;
      }
      const next = this.#lineEndAt(cell.end);
      return typeof next === 'number' ? { cells, next } : next;
    }
  }

  #readQuotedCell(start: number): { value: string; end: number } | 'open' {
    const text = this.#text;
    let value = '';
    for (let from = start; ; ) {
      const quote = text.indexOf('"', from);
      if (quote === -1) return 'open';
      if (text[quote + 1] !== '"') return { value: value + text.slice(from, quote), end: quote + 1 };
      value += text.slice(from, quote + 1);
      from = quote + 2;
    }
  }

  #readBareCell(start: number): { value: string; end: number } {
    const { delimiter, newline } = this.#form;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== delimiter && this.#text[end] !== newline) end += 1;
    const isLast = this.#text[end] !== delimiter;
    const value = this.#text.slice(start, end);
    return { value: isLast && newline === '\n' && value.endsWith('\r') ? value.slice(0, -1) : value, end };
  }

  /** Where the next line begins, if this one ends here. */
  #lineEndAt(at: number): number | 'open' | 'misplaced' {
    const { newline } = this.#form;
    const end = newline === '\n' && this.#text[at] === '\r' ? at + 1 : at;
    if (end === this.#text.length) return this.#ended ? end : 'open';
    return this.#text[end] === newline ? end + 1 : 'misplaced';
  }
}
