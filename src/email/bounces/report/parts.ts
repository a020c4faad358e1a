import { decodeBody } from '../../submission/mime/mime-body.ts';
import { type Header, readHeaderBlock } from '../../submission/mime/mime-headers.ts';
import { readStructured, type Structured } from '../../submission/mime/mime-parameters.ts';
import { MOST_HEADER_BYTES } from '../../submission/mime/parse-mime.ts';
import { splitParts } from '../../submission/mime/split-parts.ts';

const DEEPEST = 8;
const MOST_PARTS = 64;
const NOTHING: Structured = { value: '', parameters: new Map() };
const END_OF_HEADERS = '\r\n\r\n';

/** One part of a returned mail that holds no other parts. */
export interface Part {
  /** In lower case, such as `message/delivery-status`. */
  type: string;
  /** The first octets of the body, decoded; empty where they cannot be. */
  read(most: number): Buffer;
}

/** A returned mail taken apart, as far as it can be. */
export interface TakenApart {
  headers: Header[];
  type: Structured;
  /** In order; a mail without parts is its own only one. Returned messages are not looked into. */
  parts: Part[];
}

/**
 * Takes a returned mail apart. Nothing in it is an error: whatever cannot be read is left out, as are parts beyond
 * 64, those that stand deeper than 8, and all behind 256 KB of headers.
 */
export function takeApart(mime: Buffer): TakenApart {
  const reading: Reading = { mime, parts: [], headerBytes: 0 };
  const root = readPart(reading, { from: 0, to: mime.length, depth: 0 });
  return { headers: root.headers, type: root.type, parts: reading.parts };
}

interface Reading {
  mime: Buffer;
  parts: Part[];
  headerBytes: number;
}

interface Place {
  from: number;
  to: number;
  depth: number;
}

function readPart(reading: Reading, { from, to, depth }: Place): { headers: Header[]; type: Structured } {
  const { mime, parts } = reading;
  const isOver = depth > DEEPEST || parts.length >= MOST_PARTS || reading.headerBytes > MOST_HEADER_BYTES;
  if (isOver) return { headers: [], type: NOTHING };
  const { headers, bodyAt } = readHeaders(mime, from, to);
  reading.headerBytes += bodyAt - from;
  const type = readStructured(valueOf(headers, 'content-type') || 'text/plain');
  if (type.value.startsWith('multipart/')) {
    const boundary = type.parameters.get('boundary') ?? '';
    for (const range of findParts(mime, bodyAt, to, boundary)) readPart(reading, { ...range, depth: depth + 1 });
  } else {
    const encoding = valueOf(headers, 'content-transfer-encoding');
    parts.push({ type: type.value, read: (most) => readBody(mime.subarray(bodyAt, to), encoding, most) });
  }
  return { headers, type };
}

/** The value of the first header of a name, or nothing. */
export function valueOf(headers: Header[], name: string): string {
  return headers.find(({ key }) => key === name)?.value ?? '';
}

/** Headers that are not written as they should be tell nothing, but what stands below them may. */
function readHeaders(mime: Buffer, from: number, to: number): { headers: Header[]; bodyAt: number } {
  try {
    return readHeaderBlock(mime, from, to);
  } catch {
    const end = mime.subarray(from, to).indexOf(END_OF_HEADERS);
    return { headers: [], bodyAt: end === -1 ? to : from + end + END_OF_HEADERS.length };
  }
}

function findParts(mime: Buffer, from: number, to: number, boundary: string): { from: number; to: number }[] {
  try {
    return splitParts(mime, from, to, boundary, MOST_PARTS);
  } catch {
    return [];
  }
}

function readBody(body: Buffer, encoding: string, most: number): Buffer {
  try {
    return decodeBody(body.subarray(0, most), encoding);
  } catch {
    return Buffer.alloc(0);
  }
}
