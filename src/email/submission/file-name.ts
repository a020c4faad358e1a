import { invalidField } from '../../platform/errors.ts';
import { readStructured } from './mime/mime-parameters.ts';
import { LINE_BREAK } from './rules.ts';

const LONGEST_NAME = 255;
/** Signs that turn the direction of writing, so that `exe.fdp` reads as a PDF. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Blanks are none of its signs (RFC 2045 7), but mail programs write them. */
const CONTENT_ID = /^[ -;=?-~]*$/;
// A type that would hide the bytes as parts is none either.
const CONTENT_TYPE = /^(?!multipart\/)[\w.+-]+\/[\w.+-]+$/;
/** What a reader cannot do without: how a text is encoded, and what an invitation asks for (RFC 5545 8.1). */
const KEPT_PARAMETERS = ['method', 'charset'];
const PARAMETER_VALUE = /^[\w.+-]{1,60}$/;

/** The name of a file, safe to show and to save by. RFC 2183 2.3: it is no path, so only its last part counts. */
export function readFileName(field: string, sent: string): string | null {
  const whole = readOneLine(field, sent);
  const name = (/[^/\\]*$/.exec(whole)?.[0] ?? '').replace(DIRECTION, '').trim();
  return name === '' || name === '.' || name === '..' ? null : name;
}

/** An id by which HTML refers to a file, without its angle brackets. */
export function readContentId(field: string, sent: string): string | null {
  const id = readOneLine(field, sent).trim().replace(/^<|>$/g, '');
  if (!CONTENT_ID.test(id)) throw invalidField(field, 'takes ASCII without angle brackets');
  return id === '' ? null : id;
}

/** The same of a file that came by mail, where one that is none is no reason to refuse the whole of it. */
export function contentIdIn(sent: string): string | null {
  const id = (/<([^<>]*)>/.exec(sent)?.[1] ?? sent).trim();
  return id === '' || id.length > LONGEST_NAME || !CONTENT_ID.test(id) ? null : id;
}

/** Clients send any text as a type; what is not one is sent as plain bytes. */
export function readContentType(sent: string): string {
  const { value, parameters } = readStructured(sent);
  if (!CONTENT_TYPE.test(value)) return 'application/octet-stream';
  const kept = KEPT_PARAMETERS.flatMap((name) => {
    const said = parameters.get(name) ?? '';
    return PARAMETER_VALUE.test(said) ? [`${name}=${said}`] : [];
  });
  return [value, ...kept].join('; ');
}

function readOneLine(field: string, text: string): string {
  if (LINE_BREAK.test(text) || text.length > LONGEST_NAME) {
    throw invalidField(field, `takes one line of at most ${LONGEST_NAME} characters`);
  }
  return text;
}
