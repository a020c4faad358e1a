import { invalidField } from '../../../platform/errors.ts';
import { type FileWords, readFileField, readFileName, readFileType } from '../../submissions/read-file-words.ts';

const HEADER = 'Upload-Metadata';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What is shown for a file where the form is not open to everybody. */
export interface ShownAtUpload {
  password: string | null;
  /** What the page got for the password. */
  pass: string | null;
  link: string | null;
}

/** What Upload-Metadata says of a file. */
export function readMetadata(header: string | undefined): FileWords {
  const told = readPairs(header);
  return {
    name: readFileName(`${HEADER} filename`, told.get('filename')),
    type: readFileType(`${HEADER} filetype`, told.get('filetype') || null),
    field: readFileField(`${HEADER} field`, told.get('field')),
  };
}

/** What Upload-Metadata shows at the gate of the form. */
export function readShown(header: string | undefined): ShownAtUpload {
  const told = readPairs(header);
  const read = (name: string): string | null => told.get(name) || null;
  return { password: read('password'), pass: read('pass'), link: read('link') };
}

/** Pairs of a name and base64. */
function readPairs(header: string | undefined): Map<string, string> {
  const told = new Map<string, string>();
  for (const pair of (header ?? '').split(',')) {
    const [name = '', value = '', ...more] = pair.trim().split(/ +/);
    if (name === '') continue;
    if (more.length > 0 || !BASE64.test(value)) throw invalidField(HEADER, 'takes names, each with base64');
    if (told.has(name)) throw invalidField(HEADER, 'has a name twice');
    told.set(name, Buffer.from(value, 'base64').toString());
  }
  return told;
}

/** The same, as it is told back. */
export function writeMetadata({ name, type, field }: FileWords): string {
  const pairs = [['filename', name], ['filetype', type], ...(field === null ? [] : [['field', field]])] as [
    string,
    string,
  ][];
  return pairs.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',');
}
