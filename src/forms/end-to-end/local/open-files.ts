import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ApiReader } from '../../../platform/net/api-reader.ts';
import { fileName } from '../../rights/person-export.ts';
import type { SubmittedFile } from '../../submissions/sealed-submission.ts';
import type { SealedContent, SealedFile } from '../content.ts';
import { slicedHash } from '../sliced-hash.ts';
import { loadAge } from './load-age.ts';
import { NotOpened } from './open-submission.ts';
import { filePath, type LocalForm, type WireSubmission } from './read-form.ts';

interface Opening {
  api: ApiReader;
  identities: readonly string[];
  form: LocalForm;
  /** The folder for the files of all submissions. */
  folder: string;
}

/** Decrypts the files of a submission into a folder of its own; throws NotOpened where one is missing or another. */
export async function openFiles(
  opening: Opening,
  submission: WireSubmission,
  { files }: SealedContent,
): Promise<SubmittedFile[]> {
  if (files.length === 0) return [];
  const folder = join(opening.folder, submission.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const opened: SubmittedFile[] = [];
  for (const [i, file] of files.entries()) {
    const path = join(folder, `${i + 1}-${fileName(file.name)}`);
    opened.push(await openFile(opening, submission, file, path));
  }
  return opened;
}

async function openFile(
  { api, identities, form }: Opening,
  { id, attachments }: WireSubmission,
  file: SealedFile,
  path: string,
) {
  const stored = attachments.find(({ name }) => name === file.storedAs);
  if (stored === undefined) throw new NotOpened('lacks a file that was sent with it');
  const sha256 = createHash('sha256');
  try {
    const { openSealedStream } = await loadAge();
    const plain = await openSealedStream(identities, await api.bytes(filePath(form.id, id, stored.id)));
    await pipeline(hashing(plain, sha256), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  } catch (error) {
    await rm(path, { force: true });
    throw error instanceof Error && error.message.startsWith('the server')
      ? error
      : new NotOpened('has a file that cannot be opened');
  }
  const { name, type, size, field } = file;
  if ((await slicedHash(await openAsBlob(path))) !== file.hash) {
    await rm(path, { force: true });
    throw new NotOpened('has a file that is not the one that was sent with it');
  }
  return { id: stored.id, name, type, size, field, sha256: sha256.digest('hex') };
}

async function* hashing(plain: ReadableStream<Uint8Array>, hash: { update(bytes: Uint8Array): unknown }) {
  for await (const bytes of plain) {
    hash.update(bytes);
    yield bytes;
  }
}
