import { AppError } from '../../errors.ts';
import { refuseUnstorable } from './json-body.ts';
import { readPartHeaders } from './streamed/part-headers.ts';
import { PartReader } from './streamed/part-reader.ts';
import { decodeUndeclared } from './undeclared-text.ts';

export type BodyForm = 'urlencoded' | 'multipart';

const TYPES: Record<string, BodyForm> = {
  'application/x-www-form-urlencoded': 'urlencoded',
  'multipart/form-data': 'multipart',
};
/** How many fields a form has, unless more are taken where it goes. */
const MOST_FIELDS = 100;
const ESCAPED = /%([0-9a-f]{2})/gi;
const NAME = /^([\w-]+)(?:\[([\w-]*)\])?$/;
const IN_LIST = /^\d*$/;

/** Which kind of form a content type announces, if any. */
export function formOf(contentType: string | undefined): BodyForm | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return TYPES[type] ?? null;
}

/**
 * Reads a form as the object that JSON would have been: `data[name]` stands inside `data`, and `x[]`, `x[0]` or a name that
 * comes again is a list.
 */
export async function readForm(
  form: BodyForm,
  bytes: Buffer,
  contentType: string,
  mostFields = MOST_FIELDS,
): Promise<Record<string, unknown>> {
  const fields = form === 'urlencoded' ? readPairs(bytes, mostFields) : await readParts(bytes, contentType, mostFields);
  const body: Record<string, unknown> = {};
  for (const [name, value] of fields) place(body, name, value);
  return body;
}

/** The fields of application/x-www-form-urlencoded. */
function readPairs(bytes: Buffer, mostFields: number): [string, string][] {
  const pairs = bytes.toString('latin1').split('&', mostFields + 1);
  if (pairs.length > mostFields) throw tooMany(mostFields);
  return pairs.flatMap((pair) => {
    if (pair === '') return [];
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
    return [[unescapeText(pair.slice(0, end)), unescapeText(pair.slice(end + 1))]];
  });
}

/** Escaped text, with each byte as a character, as it was meant. */
function unescapeText(escaped: string): string {
  const bytes = escaped
    .replaceAll('+', ' ')
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)));
  return decodeUndeclared(Buffer.from(bytes, 'latin1'));
}

/**
 * The fields of multipart/form-data; a file is a field like any other, with its text as the value. What a part says of
 * its charset is not believed: a client calls every file ISO-8859-1.
 */
async function readParts(bytes: Buffer, contentType: string, mostFields: number): Promise<[string, string][]> {
  const reader = new PartReader(inOnePiece(bytes), contentType);
  const fields: [string, string][] = [];
  for (let headers = await reader.next(); headers !== null; headers = await reader.next()) {
    if (fields.length === mostFields) throw tooMany(mostFields);
    const { field } = readPartHeaders(headers);
    fields.push([field, decodeUndeclared(Buffer.concat(await Array.fromAsync(reader.body())))]);
  }
  return fields;
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function tooMany(mostFields: number): AppError {
  return new AppError('invalid_request', `A form takes at most ${mostFields} fields`);
}

function place(body: Record<string, unknown>, name: string, value: string): void {
  refuseUnstorable(value);
  const [, outer, inner] = NAME.exec(name) ?? [];
  if (outer === undefined || outer === '__proto__' || inner === '__proto__') return;
  if (inner === undefined && !Object.hasOwn(body, outer)) body[outer] = value;
  else if (inner === undefined || IN_LIST.test(inner)) listIn(body, outer).push(value);
  else objectIn(body, outer)[inner] = value;
}

function listIn(body: Record<string, unknown>, name: string): unknown[] {
  const known = body[name];
  const list: unknown[] = Array.isArray(known) ? known : typeof known === 'string' ? [known] : [];
  body[name] = list;
  return list;
}

function objectIn(body: Record<string, unknown>, name: string): Record<string, unknown> {
  const known = body[name];
  const object = isObject(known) ? known : {};
  body[name] = object;
  return object;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
