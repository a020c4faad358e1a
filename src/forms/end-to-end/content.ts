import type { Answers } from '../model/form-model.ts';
import { isRecord } from '../model/normalise.ts';

/** All that a patient gave, as it is encrypted in the browser. The form is in it, so that it cannot be put elsewhere. */
export interface SealedContent {
  form: string;
  version: number;
  /** As they were typed. */
  answers: Answers;
  /** The signature under the form as a whole. */
  signature: Answers | null;
  files: SealedFile[];
}

/** A file that was encrypted by itself. */
export interface SealedFile {
  /** The name that it is stored under, which says nothing. */
  storedAs: string;
  name: string;
  type: string;
  size: number;
  /** The path of the question that it answers. */
  field: string;
  /** What its content comes to: see slicedHash. */
  hash: string;
}

/** Reads what was encrypted; null where it is not what a page of this product makes. */
export function readContent(text: string): SealedContent | null {
  const content = parse(text);
  if (!isRecord(content)) return null;
  const { form, version, answers, signature, files } = content;
  if (typeof form !== 'string' || typeof version !== 'number' || !isRecord(answers) || !Array.isArray(files))
    return null;
  if (signature !== null && !isRecord(signature)) return null;
  const read = files.flatMap((file: unknown) => (isFile(file) ? [file] : []));
  return read.length === files.length ? { form, version, answers, signature, files: read } : null;
}

const TEXTS = ['storedAs', 'name', 'type', 'field', 'hash'];

function isFile(file: unknown): file is SealedFile {
  return isRecord(file) && TEXTS.every((part) => typeof file[part] === 'string') && typeof file['size'] === 'number';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
