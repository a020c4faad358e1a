import { decodeWords } from 'postal-mime';
import { invalidField } from '../../../platform/errors.ts';
import { requireFitting } from '../require-fitting.ts';
import { decodeBody, decodeCharset } from './mime-body.ts';
import { type Header, readHeaderBlock } from './mime-headers.ts';
import { readStructured, type Structured } from './mime-parameters.ts';
import { splitParts } from './split-parts.ts';

const DEEPEST = 32;
const MOST_PARTS = 1_000;
const MOST_HEADERS = 1_000;
/** Those of all parts together. */
export const MOST_HEADER_BYTES = 256 * 1024;
const CONTENT_HEADERS = ['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'] as const;

export interface ParsedFile {
  filename: string | null;
  /** With its parameters. */
  contentType: string;
  contentId: string | null;
  inline: boolean;
  content: Buffer;
}

/** A message taken apart, nothing of it checked yet. */
export interface ParsedMime {
  headers: Header[];
  text: string | null;
  html: string | null;
  attachments: ParsedFile[];
}

/** One stretch of what the message says, in one form or in both. */
interface Body {
  text?: string;
  html?: string;
}

interface Reading {
  bytes: Buffer;
  bodies: Body[];
  attachments: ParsedFile[];
  parts: number;
  headers: number;
  headerBytes: number;
}

interface Place {
  from: number;
  to: number;
  depth: number;
  /** The multipart/alternative that it stands in: its parts say the same. */
  alternative: Body | null;
  related: boolean;
  defaultType: string;
}

/** Takes a message apart, or throws naming what cannot be read. Every line of it ends with CRLF. */
export function parseMime(mime: Uint8Array): ParsedMime {
  const bytes = Buffer.from(mime.buffer, mime.byteOffset, mime.byteLength);
  const reading: Reading = { bytes, bodies: [], attachments: [], parts: 0, headers: 0, headerBytes: 0 };
  const place = { from: 0, to: bytes.length, depth: 0, alternative: null, related: false, defaultType: 'text/plain' };
  const headers = readPart(reading, place);
  const said = joinBodies(reading.bodies);
  requireFitting('text/plain', said.text);
  requireFitting('text/html', said.html);
  return { headers, ...said, attachments: reading.attachments };
}

function readPart(reading: Reading, place: Place): Header[] {
  const { from, to, depth } = place;
  reading.parts += 1;
  if (depth > DEEPEST || reading.parts > MOST_PARTS) throw invalidField('message', 'has too many parts');
  const { headers, bodyAt } = readHeaderBlock(reading.bytes, from, to);
  reading.headers += headers.length;
  reading.headerBytes += bodyAt - from;
  if (reading.headers > MOST_HEADERS || reading.headerBytes > MOST_HEADER_BYTES)
    throw invalidField('headers', 'are too many');
  const [type = '', encoding = '', disposition = '', contentId = ''] = contentHeaders(headers);
  const contentType = type === '' ? place.defaultType : type;
  const kind = readStructured(contentType);
  if (kind.value.startsWith('multipart/')) readChildren(reading, { ...place, from: bodyAt }, kind);
  else {
    const body = decodeBody(reading.bytes.subarray(bodyAt, to), encoding);
    addLeaf(reading, place, { contentType, kind, disposition: readStructured(disposition), contentId, body });
  }
  return headers;
}

/** The headers that say how a body is read; of two, each reader would believe another one. */
function contentHeaders(headers: Header[]): string[] {
  return CONTENT_HEADERS.map((name) => {
    const found = headers.filter(({ key }) => key === name);
    if (found.length > 1) throw invalidField(name, 'stands more than once');
    return found[0]?.value ?? '';
  });
}

function readChildren(reading: Reading, place: Place, { value, parameters }: Structured): void {
  const isAlternative = value === 'multipart/alternative';
  const alternative = isAlternative ? (place.alternative ?? {}) : place.alternative;
  if (isAlternative && place.alternative === null) reading.bodies.push(alternative as Body);
  const inner = {
    depth: place.depth + 1,
    alternative,
    related: place.related || value === 'multipart/related',
    defaultType: value === 'multipart/digest' ? 'message/rfc822' : 'text/plain', // RFC 2046 5.1.5
  };
  for (const range of splitParts(reading.bytes, place.from, place.to, parameters.get('boundary') ?? ''))
    readPart(reading, { ...range, ...inner });
}

interface Leaf {
  contentType: string;
  kind: Structured;
  disposition: Structured;
  contentId: string;
  body: Buffer;
}

function addLeaf(reading: Reading, place: Place, { contentType, kind, disposition, contentId, body }: Leaf): void {
  const name = disposition.parameters.get('filename') ?? kind.parameters.get('name') ?? null;
  const form = kind.value === 'text/plain' ? 'text' : kind.value === 'text/html' ? 'html' : null;
  if (form !== null && name === null && disposition.value !== 'attachment') {
    const said = decodeCharset(body, kind.parameters.get('charset') ?? '');
    const target = place.alternative ?? {};
    if (place.alternative === null) reading.bodies.push(target);
    target[form] = target[form] === undefined ? said : `${target[form]}\n${said}`;
    return;
  }
  reading.attachments.push({
    filename: name?.includes('=?') === true ? decodeWords(name) : name,
    contentType,
    contentId: contentId === '' ? null : contentId,
    inline: disposition.value === 'inline' || (disposition.value === '' && place.related && contentId !== ''),
    content: body,
  });
}

/** Several stretches become one; where one of them is HTML only, there is no text that says everything. */
function joinBodies(bodies: Body[]): { text: string | null; html: string | null } {
  const said = bodies.filter(({ text, html }) => (text ?? '') !== '' || (html ?? '') !== '');
  const texts = said.flatMap(({ text }) => text ?? []);
  const hasHtml = said.some(({ html }) => html !== undefined);
  return {
    text: texts.length === said.length && said.length > 0 ? texts.join('\n') || null : null,
    html: hasHtml ? said.map(({ text = '', html = asHtml(text) }) => html).join('\n') : null,
  };
}

function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replaceAll('\n', '<br>\n')}</p>`;
}
