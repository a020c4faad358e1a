import { AppError, invalidField } from '../../../errors.ts';
import { readCharset, readJson } from '../json-body.ts';
import { BODY_LIMITS, type BodyLimits, overLimit } from './limits.ts';
import { countKeys, numberContents } from './parsed-body.ts';
import { Skeleton } from './skeleton.ts';

const [TAB, LF, CR, SPACE, QUOTE, COMMA, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a];
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];
/** All that may stand in content: the pair first, for speed, and what becomes a slash after what begins with one. */
const ESCAPES = [
  ['\\r\\n', '\r\n'],
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\/', '/'],
  ['\\u003d', '='],
  ['\\u003D', '='],
  ['\\u002b', '+'],
  ['\\u002B', '+'],
  ['\\u002f', '/'],
  ['\\u002F', '/'],
] as const;
const BEGUN_ESCAPE = /\\(?:u(?:0(?:0[23]?)?)?)?$/;
const LIST = 'attachments';
const CONTENT = 'content';

/** Where the text of files goes, which is still base64; files are numbered as they come, from 0. */
export interface ContentSink {
  begin(file: number): void;
  /** A part of the chunk written last, escapes resolved. What is no base64 in it is left to the sink to refuse. */
  piece(file: number, bytes: Buffer): void;
  end(file: number): void;
}

/** What an open object or list is; only strings at `attachments[*].content` of the root are diverted. */
type Frame = 'root' | 'attachments' | 'attachment' | 'object' | 'list';
/** In what the scanner stands: between strings, in a key or another string, or in the content of a file. */
type Place = 'structure' | 'key' | 'string' | 'content';

/**
 * Reads JSON as it arrives and holds nothing of its files. It follows strings, keys and nesting only: a diverted string
 * leaves a short string in its place, so what remains is valid JSON exactly where the body is, and JSON.parse judges
 * the rest. An error ends the scan; nothing may be written after it.
 */
export class JsonScanner {
  readonly #sink: ContentSink;
  readonly #contentType: string | undefined;
  readonly #limits: BodyLimits;
  readonly #skeleton: Skeleton;
  readonly #frames: Frame[] = [];
  #place: Place = 'structure';
  #escaped = false;
  /** An escape in content of which the rest comes with the next chunk. */
  #begun = '';
  /** The bytes of the string so far, escapes as they are spelled. */
  #stringBytes = 0;
  #keyText = '';
  #key = '';
  /** Whether a string would be a key now. */
  #keyNext = false;
  /** Whether a list element may begin now. */
  #elementNext = false;
  #rootClosed = false;
  #keys = 0;
  #elements = 0;
  #files = 0;

  constructor(sink: ContentSink, contentType: string | undefined, limits: BodyLimits = BODY_LIMITS) {
    readCharset(contentType); // one that cannot be read is refused before the body is
    this.#sink = sink;
    this.#contentType = contentType;
    this.#limits = limits;
    this.#skeleton = new Skeleton(limits);
  }

  /** Reads on. What is at fault beyond doubt is refused at once, the rest at the end. */
  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#place === 'content') at = this.#readContent(chunk, at);
      else at = this.#readSkeleton(chunk, at);
    }
  }

  /** The body, in which each `attachments[*].content` is the number of its file. */
  end(): Record<string, unknown> {
    const body = readJson(this.#skeleton.bytes, this.#contentType);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError('invalid_request', 'The body must be a JSON object');
    }
    // JSON.parse keeps one of the keys that are alike, however they are spelled: then some are missing.
    if (countKeys(body) !== this.#keys) throw new AppError('invalid_request', 'A key stands twice in one object');
    const root = body as Record<string, unknown>;
    const list = root[LIST];
    if (Array.isArray(list)) {
      if (list.length > this.#limits.files) throw overLimit(this.#limits, 'files');
      numberContents(list);
    }
    return root;
  }

  /** Runs to the next content or the end of the chunk, and keeps what it passes. */
  #readSkeleton(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && this.#place !== 'content') {
      at = this.#place === 'structure' ? this.#readStructure(chunk, at) : this.#readString(chunk, at);
    }
    this.#skeleton.add(chunk.subarray(from, at));
    if (this.#place === 'content') this.#skeleton.add(Buffer.from(`${this.#files}`));
    return at;
  }

  /** Runs to the inside of the next string or the end of the chunk. */
  #readStructure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === SPACE || byte === LF || byte === CR || byte === TAB) continue;
      if (this.#elementNext && byte !== CLOSE_LIST) this.#countElement();
      if (byte === QUOTE) {
        this.#openString();
        return at + 1;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(byte === OPEN_OBJECT);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close();
      else if (byte === COMMA) this.#expect(this.#frames.at(-1));
      else if (byte === COLON) this.#countKey();
    }
    return chunk.length;
  }

  #open(isObject: boolean): void {
    if (this.#rootClosed) throw new AppError('malformed_json');
    if (this.#frames.length === this.#limits.depth) throw overLimit(this.#limits, 'depth');
    const outer = this.#frames.at(-1);
    let frame: Frame = isObject ? 'object' : 'list';
    if (outer === undefined && isObject) frame = 'root';
    else if (outer === 'root' && !isObject && this.#key === LIST) frame = 'attachments';
    else if (outer === 'attachments' && isObject) frame = 'attachment';
    this.#frames.push(frame);
    this.#expect(frame);
  }

  #close(): void {
    if (this.#frames.pop() === undefined) throw new AppError('malformed_json');
    this.#rootClosed = this.#frames.length === 0;
    this.#keyNext = false;
    this.#elementNext = false;
  }

  /** What may follow the beginning of an object or list, or a comma in it. */
  #expect(frame: Frame | undefined): void {
    const inList = frame === 'list' || frame === 'attachments';
    this.#elementNext = inList;
    this.#keyNext = !inList;
  }

  #countKey(): void {
    this.#keyNext = false;
    this.#keys += 1;
    if (this.#keys + this.#elements > this.#limits.items) throw overLimit(this.#limits, 'items');
  }

  #countElement(): void {
    this.#elementNext = false;
    this.#elements += 1;
    if (this.#keys + this.#elements > this.#limits.items) throw overLimit(this.#limits, 'items');
  }

  #openString(): void {
    this.#stringBytes = 0;
    this.#keyText = '';
    if (this.#keyNext) this.#place = 'key';
    else if (this.#frames.at(-1) !== 'attachment' || this.#key !== CONTENT) this.#place = 'string';
    else {
      if (this.#files === this.#limits.files) throw overLimit(this.#limits, 'files');
      this.#place = 'content';
      this.#sink.begin(this.#files);
    }
  }

  /** Runs behind the end of the string or to the end of the chunk. */
  #readString(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) break;
    }
    this.#stringBytes += at - from;
    const limit = this.#place === 'key' ? 'keyBytes' : 'stringBytes';
    if (this.#stringBytes > this.#limits[limit]) throw overLimit(this.#limits, limit);
    if (this.#place === 'key') this.#keyText += chunk.toString('latin1', from, at);
    if (at === chunk.length) return at;
    if (this.#place === 'key') this.#key = readKey(this.#keyText);
    this.#place = 'structure';
    return at + 1;
  }

  /** Hands on the content up to its end or the end of the chunk; the quote is left to stand in the skeleton. */
  #readContent(chunk: Buffer, from: number): number {
    const quote = chunk.indexOf(QUOTE, from);
    const to = quote === -1 ? chunk.length : quote;
    const text = chunk.subarray(from, to);
    if (text.includes(LF) || text.includes(CR)) throw new AppError('malformed_json');
    const clean = this.#begun !== '' || text.includes(BACKSLASH) ? this.#resolveEscapes(text) : text;
    if (clean.length > 0) this.#sink.piece(this.#files, clean);
    if (quote === -1) return to;
    if (this.#begun !== '') throw escapeInContent();
    this.#sink.end(this.#files);
    this.#files += 1;
    this.#skeleton.add(chunk.subarray(quote, quote + 1));
    this.#place = 'structure';
    return quote + 1;
  }

  /** Real clients break base64 into lines, which JSON spells `\r\n`; PHP spells each slash `\/`, and .NET a plus `\u002B`. */
  #resolveEscapes(text: Buffer): Buffer {
    const spelled = this.#begun + text.toString('latin1');
    this.#begun = BEGUN_ESCAPE.exec(spelled)?.[0] ?? '';
    let meant = spelled.slice(0, spelled.length - this.#begun.length);
    for (const [escape, byte] of ESCAPES) meant = meant.replaceAll(escape, byte);
    if (meant.includes('\\')) throw escapeInContent(); // each that is allowed took its backslash with it
    return Buffer.from(meant, 'latin1');
  }
}

/**
 * A key as it is meant; where its escapes are broken JSON.parse refuses the body later. A key with a backslash makes
 * JSON.parse misread the escaped keys of later bodies (https://github.com/nodejs/node/issues/63785), so none gets there.
 */
function readKey(text: string): string {
  if (!text.includes('\\')) return text;
  let key = '';
  try {
    key = JSON.parse(`"${text}"`) as string;
  } catch {}
  if (key.includes('\\')) throw new AppError('invalid_request', 'A key must not hold a backslash');
  return key;
}

function escapeInContent(): AppError {
  return invalidField(`${LIST}.${CONTENT}`, 'must not hold escapes other than of line breaks and of +, / and =');
}
