import { invalidField } from '../../platform/errors.ts';
import type { Answers } from '../model/form-model.ts';
import { type FileWords, readFileField, readFileName, readFileType } from './read-file-words.ts';
import type { Received } from './receive.ts';
import type { SubmittedFile } from './sealed-submission.ts';

/** A submission as it was sent, read but not yet held against its form. */
export interface Sent {
  formData: Answers;
  signature: unknown;
  /** The version of the form that was filled in, where the sender says so. */
  formVersion: number | null;
  files: SubmittedFile[];
  /** What a page showed: its language, and the text that is confirmed by signing. */
  page?: { language: string; consentText: string };
  /** The answers as only the customer can read them, in base64. */
  sealed?: string;
}

/** A file that came ahead and is sent along by its token. */
export interface NamedUpload {
  token: string;
  /** The question that it answers, where that is said anew. */
  field: string | null;
}

/** Reads what was received, or throws naming what is wrong. */
export function readSubmission({ body, files }: Received): Sent & { uploads: NamedUpload[] } {
  const { signature, form_version: version } = body;
  const sealed = readSealed(body.sealed);
  const formData = sealed === null ? body.form_data : (body.form_data ?? {});
  if (formData === undefined || formData === null) throw invalidField('form_data', 'is required');
  if (typeof formData !== 'object' || Array.isArray(formData)) throw invalidField('form_data', 'must be an object');
  const attachments = readAttachments(body.attachments);
  return {
    formData: formData as Answers,
    signature,
    ...(sealed === null ? {} : { sealed }),
    formVersion: readVersion(version),
    files: attachments.flatMap((each) => ('file' in each ? [describe(files, each)] : [])),
    uploads: attachments.flatMap((each) => ('token' in each ? [each] : [])),
  };
}

function describe(files: Received['files'], { file, name, type, field }: SentFile): SubmittedFile {
  const received = files[file] as Received['files'][number];
  return {
    id: received.blob.id,
    name,
    type: received.type ?? type,
    size: received.blob.size,
    sha256: received.blob.sha256.toString('hex'),
    field,
  };
}

function readSealed(sealed: unknown): string | null {
  if (sealed === undefined || sealed === null) return null;
  if (typeof sealed !== 'string') throw invalidField('sealed', 'must be a string');
  return sealed;
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

/** A file that came in the body, by its number there. */
interface SentFile extends FileWords {
  file: number;
}

function readAttachments(attachments: unknown): (SentFile | NamedUpload)[] {
  if (attachments === undefined || attachments === null) return [];
  if (!Array.isArray(attachments)) throw invalidField('attachments', 'must be a list');
  return attachments.map((each: unknown, index) => {
    const at = `attachments.${index}`;
    if (typeof each !== 'object' || each === null || Array.isArray(each)) throw invalidField(at, 'must be an object');
    const { name, fileName, contentType, field: sentFor, content, upload } = each as Record<string, unknown>;
    const field = readFileField(`${at}.field`, sentFor);
    if (upload !== undefined && upload !== null) {
      if (typeof upload !== 'string') throw invalidField(`${at}.upload`, 'must be a string');
      if (content !== undefined) throw invalidField(`${at}.content`, 'must not stand beside upload');
      return { token: upload, field };
    }
    if (typeof content !== 'number') throw invalidField(`${at}.content`, 'is required');
    return {
      file: content,
      name: readFileName(`${at}.name`, name ?? fileName),
      type: readFileType(`${at}.contentType`, contentType),
      field,
    };
  });
}
