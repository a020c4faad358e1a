import { Busboy } from '@fastify/busboy';
import { AppError } from '../errors.ts';
import { refuseUnstorable } from './json-body.ts';

export type BodyForm = 'urlencoded' | 'multipart';

const TYPES: Record<string, BodyForm> = {
  'application/x-www-form-urlencoded': 'urlencoded',
  'multipart/form-data': 'multipart',
};
const MOST_FIELDS = 100;
const LONGEST_NAME = 100;
const NAME = /^([\w-]+)(?:\[([\w-]*)\])?$/;

/** Which kind of form a content type announces, if any. */
export function formOf(contentType: string | undefined): BodyForm | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return TYPES[type] ?? null;
}

/** Reads a form as the object that JSON would have been: `data[name]` stands inside `data`, `x[]` is a list. */
export async function readForm(form: BodyForm, bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const fields =
    form === 'urlencoded' ? [...new URLSearchParams(bytes.toString())] : await readParts(bytes, contentType);
  if (fields.length > MOST_FIELDS) throw new AppError('invalid_request', `A form takes at most ${MOST_FIELDS} fields`);
  const body: Record<string, unknown> = {};
  for (const [name, value] of fields) place(body, name, value);
  return body;
}

/** The fields of multipart/form-data; a file is a field like any other, with its text as the value. */
function readParts(bytes: Buffer, contentType: string): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new AppError('invalid_request', 'The body is not valid multipart/form-data'));
    const fields: [string, string][] = [];
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { parts: MOST_FIELDS + 1, fieldNameSize: LONGEST_NAME, fieldSize: bytes.length, headerPairs: 20 },
      });
    } catch {
      refuse();
      return;
    }
    parser.on('field', (name, value) => void fields.push([name, value]));
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => fields.push([name, Buffer.concat(chunks).toString()]));
      stream.on('error', refuse);
    });
    parser.on('error', refuse);
    parser.on('finish', () => resolve(fields));
    // Where the last part is broken off it never says that it has finished.
    parser.end(bytes, () => setImmediate(refuse));
  });
}

function place(body: Record<string, unknown>, name: string, value: string): void {
  refuseUnstorable(value);
  const [, outer, inner] = NAME.exec(name) ?? [];
  if (outer === undefined || outer === '__proto__' || inner === '__proto__') return;
  if (inner === undefined) body[outer] = value;
  else if (inner === '') body[outer] = [...(Array.isArray(body[outer]) ? body[outer] : []), value];
  else body[outer] = { ...(isObject(body[outer]) ? body[outer] : {}), [inner]: value };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
