import { AppError } from '../../../errors.ts';

const LINE_END = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');
const LAST = Buffer.from('--');
const [TAB, SPACE] = [0x09, 0x20];
const LONGEST_BOUNDARY = 200; // RFC 2046 5.1.1 says 70, which not everybody keeps to
const LONGEST_HEADERS = 16_384;
const LONGEST_PADDING = 100;
const BOUNDARY = /^multipart\/form-data\s*;(?:.*?;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))/is;

/**
 * Cuts a multipart body into its parts (RFC 2046 5.1.1) as it is asked for them: it pulls a chunk when its reader wants
 * more, and holds that one only. No promise waits for anything but the source. The source is read to its end, or left
 * where the body is refused.
 */
export class PartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #border: Buffer;
  /** What has come and is not read yet. The first border needs no line end before it. */
  #held = LINE_END;
  #part = 0;
  /** Whether the border that ends the part is still ahead; the preamble is a part that nobody reads. */
  #inPart = true;

  constructor(source: AsyncIterable<Uint8Array>, contentType: string) {
    const found = BOUNDARY.exec(contentType);
    const boundary = found?.[1] ?? found?.[2] ?? '';
    if (boundary === '' || boundary.length > LONGEST_BOUNDARY) throw brokenMultipart();
    this.#border = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Passes over what is left of the part; answers the headers of the next one, or null after the last. */
  async next(): Promise<string | null> {
    for await (const _ of this.body());
    if (await this.#passBorder()) return null;
    const headers = await this.#readHeaders();
    this.#part += 1;
    this.#inPart = true;
    // A part without a body has no empty line either: the line end of its last header belongs to the border.
    if (!(await this.isEmpty())) this.#held = this.#held.subarray(LINE_END.length);
    return headers;
  }

  /** The content of the part that was answered last, as far as it is not read yet; never that of another part. */
  body(): AsyncGenerator<Buffer, void, undefined> {
    return this.#read(this.#part);
  }

  /** Whether nothing of the part is left. */
  async isEmpty(): Promise<boolean> {
    if (!this.#inPart) return true;
    await this.#need(this.#border.length);
    return this.#held.subarray(0, this.#border.length).equals(this.#border);
  }

  async *#read(part: number): AsyncGenerator<Buffer, void, undefined> {
    while (this.#inPart && this.#part === part) {
      const end = this.#held.indexOf(this.#border);
      const to = end === -1 ? Math.max(0, this.#held.length - this.#border.length + 1) : end;
      const piece = this.#held.subarray(0, to);
      this.#inPart = end === -1;
      this.#held = this.#held.subarray(end === -1 ? to : end + this.#border.length);
      if (piece.length > 0) yield piece;
      else if (end === -1) await this.#pull();
    }
  }

  /** Reads what follows a border; answers true where it was the last, and then there is nothing left to read. */
  async #passBorder(): Promise<boolean> {
    await this.#need(2);
    if (this.#held.subarray(0, 2).equals(LAST)) {
      this.#held = LAST; // so that asking again gives the same answer
      while ((await this.#source.next()).done !== true);
      return true;
    }
    for (let padding = 0; this.#held[0] === SPACE || this.#held[0] === TAB; padding += 1) {
      if (padding === LONGEST_PADDING) throw brokenMultipart();
      this.#held = this.#held.subarray(1);
      await this.#need(2);
    }
    if (!this.#held.subarray(0, 2).equals(LINE_END)) throw brokenMultipart();
    this.#held = this.#held.subarray(2);
    return false;
  }

  /** Reads the headers, but not the line end after the last one. */
  async #readHeaders(): Promise<string> {
    let end = this.#held.indexOf(HEADERS_END);
    while (end === -1 && this.#held.length <= LONGEST_HEADERS) {
      await this.#pull();
      end = this.#held.indexOf(HEADERS_END);
    }
    if (end === -1 || end > LONGEST_HEADERS) throw brokenMultipart();
    const headers = this.#held.toString('latin1', 0, end);
    this.#held = this.#held.subarray(end + LINE_END.length);
    return headers;
  }

  async #need(length: number): Promise<void> {
    while (this.#held.length < length) await this.#pull();
  }

  async #pull(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done === true) throw brokenMultipart();
    this.#held = Buffer.concat([this.#held, value]);
  }
}

/** The refusal of a body that is cut off or against the rules of multipart. */
export function brokenMultipart(): AppError {
  return new AppError('invalid_request', 'The body is not valid multipart/form-data');
}
