import { openSealed } from '../../../../src/forms/end-to-end/age.ts';
import { readContent, type SealedContent, type SealedFile } from '../../../../src/forms/end-to-end/content.ts';
import { slicedHash } from '../../../../src/forms/end-to-end/sliced-hash.ts';
import { fetchBlob, saveFile } from '../../../api/client.ts';
import { words } from '../../../words/forms/submission.ts';
import type { Submission } from './page.tsx';

/** Opens what a patient encrypted, in this browser; throws with words that may be shown. */
export async function openContent(identities: readonly string[], submission: Submission): Promise<SealedContent> {
  const sealed = Uint8Array.from(atob(submission.sealed ?? ''), (letter) => letter.charCodeAt(0));
  const opened = await openSealed(identities, sealed).catch(() => {
    throw new Error(words.notOpened);
  });
  const content = readContent(new TextDecoder().decode(opened));
  if (content === null) throw new Error(words.notOpened);
  const isOwn = content.form === submission.form_id && content.version === submission.form_version;
  if (!isOwn) throw new Error(words.otherForm);
  return content;
}

/** Opens a file of such a submission and hands it to the browser's downloads, if it is the one that was sent. */
export async function saveSealedFile(
  identities: readonly string[],
  submission: Submission,
  file: SealedFile,
): Promise<void> {
  const stored = submission.attachments.find(({ name }) => name === file.storedAs);
  if (stored === undefined) throw new Error(words.fileNotOpened);
  const params = { id: submission.form_id, sid: submission.id, aid: stored.id };
  const sealed = new Uint8Array(await (await fetchBlob('readAttachment', { params })).arrayBuffer());
  const plain = await openSealed(identities, sealed).catch(() => {
    throw new Error(words.fileNotOpened);
  });
  const opened = new Blob([new Uint8Array(plain)], { type: 'application/octet-stream' });
  if ((await slicedHash(opened)) !== file.hash) throw new Error(words.fileNotOpened);
  saveFile(opened, file.name);
}
