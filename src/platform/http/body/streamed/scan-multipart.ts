import { AppError, invalidField } from '../../../errors.ts';
import { createBase64Decoder } from './base64.ts';
import { BODY_LIMITS, type BodyLimits, overLimit } from './limits.ts';
import { decodeText, type PartHeaders, readPartHeaders } from './part-headers.ts';
import { PartReader } from './part-reader.ts';
import { JsonScanner } from './scan-json.ts';
import { Skeleton } from './skeleton.ts';

/** A file as its part names it. */
export interface UploadedFile {
  /** Its number, in the order of arrival from 0. */
  file: number;
  field: string;
  name: string;
  contentType: string | null;
}

/** Takes in one file; the next part is read after it is done. What it leaves of the stream is thrown away. */
export type TakeFile = (file: UploadedFile, stream: AsyncIterable<Buffer>) => Promise<void>;

/** The body that the same submission would have been in JSON; `content` is the number of the file. */
export interface MultipartBody {
  form_data: unknown;
  signature?: unknown;
  form_version?: unknown;
  gate?: unknown;
  attachments: { name: string; contentType: string | null; field: string; content: number }[];
}

/** What is JSON, and where it stands; the gate's begins with a sign that no field of a form has. */
const JSON_FIELDS = { form_data: 'form_data', signature: 'signature', form_version: 'form_version', _gate: 'gate' };
/** A signature that is none of these was typed, and is a value of the form. */
const JSON_SIGNATURE = /^\s*(?:\{|null\s*$)/;
/** What clients say of a file of which they know nothing. */
const UNTYPED: (string | null)[] = [null, 'text/plain', 'application/octet-stream'];
const NO_FILES = {
  begin() {},
  piece() {},
  end() {},
};

/**
 * Reads a form as multipart/form-data (RFC 7578). `form_data`, `form_version`, `_gate` and a `signature` that is
 * an object are JSON; every other field is a value of the form, and a list where its name comes again. Files are handed
 * on while they arrive. Where anything fails, the source is left as it is: the caller still has to answer on it.
 */
export async function readMultipart(
  source: AsyncIterable<Uint8Array>,
  contentType: string,
  takeFile: TakeFile,
  limits: BodyLimits = BODY_LIMITS,
): Promise<MultipartBody> {
  const reader = new PartReader(source, contentType);
  const fields = new Fields(limits);
  const attachments: MultipartBody['attachments'] = [];
  let files = 0;
  let isEmpty = true;
  for (let text = await reader.next(); text !== null; text = await reader.next()) {
    isEmpty = false;
    const part = readPartHeaders(text);
    const content = part.encoding === 'base64' ? decode(reader.body()) : reader.body();
    fields.countName(part.field);
    if (!part.isFile || isJsonBlob(part) || (isUntypedBlob(part) && !fields.has('form_data'))) {
      await fields.read(part, content);
      continue;
    }
    files += 1;
    if (files > limits.files) throw overLimit(limits, 'files');
    const name = part.fileName ?? '';
    fields.countName(name);
    if (name === '' && (await reader.isEmpty())) continue; // a choice of files that was left empty
    const file = { field: part.field, name, contentType: part.contentType };
    await takeFile({ file: attachments.length, ...file }, content);
    attachments.push({ ...file, content: attachments.length });
  }
  if (isEmpty) throw invalidField('form_data', 'is required');
  return { ...fields.finish(), attachments };
}

/** Scripts put JSON into a form as a blob, and a browser makes up a file name for each (RFC 7578 4.2). */
function isJsonBlob({ field, contentType }: PartHeaders): boolean {
  return Object.hasOwn(JSON_FIELDS, field) && contentType === 'application/json';
}

/** Not every client says that a blob is JSON, but what else would be called so? */
function isUntypedBlob({ field, contentType }: PartHeaders): boolean {
  return field === 'form_data' && UNTYPED.includes(contentType);
}

async function* decode(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const decoder = createBase64Decoder('attachments');
  for await (const piece of stream) yield decoder.write(piece);
  yield decoder.end();
}

/** Collects the fields that are no files, within the limits. */
class Fields {
  readonly #limits: BodyLimits;
  readonly #values = new Map<string, string[]>();
  #count = 0;
  #bytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  countName(name: string): void {
    const length = Buffer.byteLength(name);
    if (length > this.#limits.keyBytes) throw overLimit(this.#limits, 'keyBytes');
    this.#countBytes(length);
  }

  async read(part: PartHeaders, stream: AsyncIterable<Buffer>): Promise<void> {
    this.#count += 1;
    if (this.#count > this.#limits.items) throw overLimit(this.#limits, 'items');
    if (part.field === '__proto__') throw new AppError('invalid_request', 'The key __proto__ is not allowed');
    const text = new Skeleton(this.#limits);
    for await (const piece of stream) {
      this.#countBytes(piece.length);
      text.add(piece);
      if (text.bytes.length > this.#limits.stringBytes) throw overLimit(this.#limits, 'stringBytes');
    }
    const value = decodeText(text.bytes, part.charset);
    const list = this.#values.get(part.field);
    if (list === undefined) this.#values.set(part.field, [value]);
    else list.push(value);
  }

  finish(): Omit<MultipartBody, 'attachments'> {
    const body: Record<string, unknown> = {};
    for (const [field, name] of Object.entries(JSON_FIELDS)) {
      const [text, again] = this.#values.get(field) ?? [];
      if (field === 'signature' && text !== undefined && !JSON_SIGNATURE.test(text)) continue;
      if (again !== undefined) throw invalidField(field, 'must not be repeated');
      if (text !== undefined) body[name] = parseField(field, text, this.#limits);
      this.#values.delete(field);
    }
    return { ...body, form_data: this.#addValues(body.form_data ?? {}) };
  }

  /** Fields that stand beside `form_data` are values of the form like those in it. */
  #addValues(formData: unknown): unknown {
    if (this.#values.size === 0) return formData;
    if (typeof formData !== 'object' || formData === null || Array.isArray(formData)) {
      throw invalidField('form_data', 'must be an object');
    }
    const data: Record<string, unknown> = { ...formData };
    for (const [field, values] of this.#values) {
      if (Object.hasOwn(data, field)) throw invalidField('form_data', 'must not repeat another field');
      data[field] = values.length === 1 ? values[0] : values;
    }
    return data;
  }

  #countBytes(length: number): void {
    this.#bytes += length;
    if (this.#bytes > this.#limits.skeletonBytes) throw overLimit(this.#limits, 'skeletonBytes');
  }
}

/** Reads the JSON of a field under the same rules as a whole body. */
function parseField(field: string, text: string, limits: BodyLimits): unknown {
  const wrapped = scanField(field, text, limits);
  // Text that closes the wrapping itself brings in keys of its own.
  if (Object.keys(wrapped).length !== 1) throw malformed(field);
  return wrapped[field];
}

function scanField(field: string, text: string, limits: BodyLimits): Record<string, unknown> {
  try {
    const scanner = new JsonScanner(NO_FILES, 'application/json; charset=utf-8', limits);
    scanner.write(Buffer.from(`{"${field}":${text}}`));
    return scanner.end();
  } catch (error) {
    throw error instanceof AppError && error.code === 'malformed_json' ? malformed(field) : error;
  }
}

function malformed(field: string): AppError {
  const rule = 'is not valid JSON';
  return new AppError('malformed_json', `${field}: ${rule}`, { fields: { [field]: [rule] } });
}
