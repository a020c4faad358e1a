import { isUtf8 } from 'node:buffer';
import { AppError } from '../../../errors.ts';
import { refuseUnstorable } from '../json-body.ts';
import { decodeUndeclared } from '../undeclared-text.ts';
import { brokenMultipart } from './part-reader.ts';

const HEADER_NAME = /^[\w-]+$/;
/** RFC 6266 4.1; browsers write `%22` for a quote, other clients escape it. */
const PARAMETER = /;\s*([\w-]+)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gs;
const EXTENDED = /^(utf-8|iso-8859-1)'[\w-]*'(.*)$/is; // RFC 8187 3.2.1
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?=\s*(?:;|$))/;
const CHARSET = /;\s*charset\s*=\s*"?([\w-]+)/i;
const TEXT_TYPE = /^(?:text\/.*|application\/json)$/;

/** What the headers of a part of a form say about it. */
export interface PartHeaders {
  field: string;
  /** Null where the part has no file name; empty where a browser sends a choice of files that was left empty. */
  fileName: string | null;
  contentType: string | null;
  charset: string | null;
  encoding: 'binary' | 'base64';
  isFile: boolean;
}

/** Reads the headers of a part (RFC 7578 4); a part that is no field of a form is refused. */
export function readPartHeaders(text: string): PartHeaders {
  const headers = splitHeaders(text);
  const disposition = readDisposition(headers.get('content-disposition') ?? '');
  const declared = headers.get('content-type') ?? '';
  const contentType = MEDIA_TYPE.exec(declared)?.[0].toLowerCase() ?? null;
  const isText = declared === '' || (contentType !== null && TEXT_TYPE.test(contentType));
  return {
    ...disposition,
    contentType,
    charset: CHARSET.exec(declared)?.[1]?.toLowerCase() ?? null,
    encoding: readEncoding(headers.get('content-transfer-encoding')),
    isFile: disposition.fileName !== null || !isText,
  };
}

/** Text as it was declared, or as it seems to be written where nobody says so. */
export function decodeText(bytes: Buffer, charset: string | null): string {
  const text = charset === null ? decodeUndeclared(bytes) : decodeAs(charset, bytes);
  refuseUnstorable(text);
  return text;
}

function decodeAs(charset: string, bytes: Buffer): string {
  if (charset === 'iso-8859-1' || charset === 'latin1') return bytes.toString('latin1');
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new AppError('unsupported_media_type', 'The charset is utf-8 or iso-8859-1');
  }
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'A part is not valid UTF-8');
  return bytes.toString();
}

function splitHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!HEADER_NAME.test(name) || headers.has(name) || /[\r\n\0]/.test(line)) throw brokenMultipart();
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function readDisposition(value: string): { field: string; fileName: string | null } {
  if (!/^form-data[\s;]*$/i.test(value.replace(PARAMETER, ''))) throw brokenMultipart();
  const parameters = new Map<string, string>();
  for (const [, name = '', star = '', quoted, bare = ''] of value.matchAll(PARAMETER)) {
    const key = name.toLowerCase() + star;
    if (parameters.has(key)) throw brokenMultipart();
    parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? bare);
  }
  const field = parameters.get('name');
  if (field === undefined) throw brokenMultipart();
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  let fileName: string | null = null;
  if (extended !== undefined) fileName = decodeExtended(extended);
  else if (plain !== undefined) fileName = decodeName(plain);
  return { field: decodeName(field), fileName: fileName === null ? null : fileName.replace(/^.*[/\\]/s, '') };
}

/** The header came byte by byte; RFC 7578 5.1: names are UTF-8, with `%22`, `%0D` and `%0A` for what cannot stand. */
function decodeName(text: string): string {
  const spelled = text.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return decodeText(Buffer.from(spelled, 'latin1'), null);
}

function decodeExtended(text: string): string {
  const [, charset, spelled] = EXTENDED.exec(text) ?? [];
  if (charset === undefined || spelled === undefined) throw brokenMultipart();
  const bytes = spelled.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return decodeText(Buffer.from(bytes, 'latin1'), charset.toLowerCase());
}

function readEncoding(value: string | undefined): 'binary' | 'base64' {
  const name = value?.toLowerCase() ?? 'binary';
  if (name === 'base64') return 'base64';
  if (!['7bit', '8bit', 'binary'].includes(name)) {
    throw new AppError('invalid_request', 'The Content-Transfer-Encoding of a part is binary or base64');
  }
  return 'binary';
}
