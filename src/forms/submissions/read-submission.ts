import { readContentType } from '../../email/index.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Answers } from '../model/form-model.ts';
import type { Received } from './receive.ts';
import type { SubmittedFile } from './sealed-submission.ts';

/** A submission as it was sent, read but not yet held against its form. */
export interface Sent {
  formData: Answers;
  signature: unknown;
  /** The version of the form that was filled in, where the sender says so. */
  formVersion: number | null;
  files: SubmittedFile[];
}

const LONGEST_NAME = 255;
const LONGEST_FIELD = 1_000;
// Signs that turn the direction of writing would let `exe.fdp` read as a PDF.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Reads what was received, or throws naming what is wrong. */
export function readSubmission({ body, files }: Received): Sent {
  const { form_data: formData, signature, form_version: version } = body;
  if (formData === undefined || formData === null) throw invalidField('form_data', 'is required');
  if (typeof formData !== 'object' || Array.isArray(formData)) throw invalidField('form_data', 'must be an object');
  return {
    formData: formData as Answers,
    signature,
    formVersion: readVersion(version),
    files: readAttachments(body.attachments).map(({ file, name, type, field }) => {
      const received = files[file] as Received['files'][number];
      return {
        id: received.blob.id,
        name,
        type: received.type ?? type,
        size: received.blob.size,
        sha256: received.blob.sha256.toString('hex'),
        field,
      };
    }),
  };
}

function readVersion(version: unknown): number | null {
  if (version === undefined || version === null || version === '') return null;
  const number = Number(version);
  if (
    !['number', 'string'].includes(typeof version) ||
    !Number.isSafeInteger(number) ||
    number < 1 ||
    number >= 2 ** 31
  ) {
    throw invalidField('form_version', 'takes the number of a version');
  }
  return number;
}

function readAttachments(attachments: unknown): { file: number; name: string; type: string; field: string | null }[] {
  if (attachments === undefined || attachments === null) return [];
  if (!Array.isArray(attachments)) throw invalidField('attachments', 'must be a list');
  return attachments.map((each: unknown, index) => {
    const at = `attachments.${index}`;
    if (typeof each !== 'object' || each === null || Array.isArray(each)) throw invalidField(at, 'must be an object');
    const { name, fileName, contentType, field, content } = each as Record<string, unknown>;
    if (typeof content !== 'number') throw invalidField(`${at}.content`, 'is required');
    return {
      file: content,
      name: readName(`${at}.name`, name ?? fileName),
      type: readType(`${at}.contentType`, contentType),
      field: readField(`${at}.field`, field),
    };
  });
}

/** The name of a file without the folders that some browsers send, and without what cannot be seen. */
function readName(field: string, sent: unknown): string {
  if (typeof sent !== 'string')
    throw invalidField(field, sent === undefined || sent === null ? 'is required' : 'must be a string');
  const last = sent.replace(UNSAFE, '').split(/[/\\]/).at(-1)?.trim() ?? '';
  if (last === '' || last === '.' || last === '..') throw invalidField(field, 'must name a file');
  return Array.from(last).slice(0, LONGEST_NAME).join('');
}

function readType(field: string, sent: unknown): string {
  if (sent === undefined || sent === null) return 'application/octet-stream';
  if (typeof sent !== 'string') throw invalidField(field, 'must be a string');
  return sent.length > LONGEST_NAME ? 'application/octet-stream' : readContentType(sent);
}

function readField(field: string, sent: unknown): string | null {
  if (sent === undefined || sent === null || sent === '') return null;
  if (typeof sent !== 'string' || sent.length > LONGEST_FIELD) throw invalidField(field, 'must name a field');
  return sent;
}
