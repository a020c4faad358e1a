import { readContentType } from '../../email/index.ts';
import { invalidField } from '../../platform/errors.ts';

/** What a sender says of a file. */
export interface FileWords {
  name: string;
  type: string;
  /** The question that it answers, where that was said. */
  field: string | null;
}

const LONGEST_NAME = 255;
const LONGEST_FIELD = 1_000;
const ANY_TYPE = 'application/octet-stream';
// Signs that turn the direction of writing would let `exe.fdp` read as a PDF.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The name of a file without the folders that some browsers send, and without what cannot be seen. */
export function readFileName(field: string, sent: unknown): string {
  if (typeof sent !== 'string')
    throw invalidField(field, sent === undefined || sent === null ? 'is required' : 'must be a string');
  const last = sent.replace(UNSAFE, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  if (last === '' || last === '.' || last === '..') throw invalidField(field, 'must name a file');
  return Array.from(last).slice(0, LONGEST_NAME).join('');
}

/** The type of a file without its parameters. */
export function readFileType(field: string, sent: unknown): string {
  if (sent === undefined || sent === null) return ANY_TYPE;
  if (typeof sent !== 'string') throw invalidField(field, 'must be a string');
  const [type = ''] = sent.split(';');
  return type.length > LONGEST_NAME ? ANY_TYPE : readContentType(type.trim().toLowerCase());
}

export function readFileField(field: string, sent: unknown): string | null {
  if (sent === undefined || sent === null || sent === '') return null;
  if (typeof sent !== 'string' || sent.length > LONGEST_FIELD) throw invalidField(field, 'must name a field');
  return sent;
}
