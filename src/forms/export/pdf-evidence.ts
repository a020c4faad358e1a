import { type ExportedAttachment, type ExportedSignature, timeText } from './exported-submission.ts';
import { type Line, openList, type Paper, writeEntry, writeHeading, writeImage, writeParagraph } from './pdf-paper.ts';
import { readImage } from './signature-image.ts';

type Recorded = [label: string, look: Line[0], text: string | null];

const METHODS = { typed: 'Typed', drawn: 'Drawn', uploaded: 'Uploaded image' };

/** The files that came with a submission, each with what proves it unchanged. */
export async function writeAttachments(paper: Paper, attachments: ExportedAttachment[]): Promise<void> {
  if (attachments.length === 0) return;
  writeHeading(paper, 2, 'Attachments');
  const list = openList(paper);
  for (const { name, type, size, sha256 } of attachments) {
    await writeEntry(paper, list, name, [
      ['answer', `${type}, ${sizeText(size)}`],
      ['code', `SHA-256 ${sha256}`],
    ]);
  }
}

/** The signature with all that was recorded when it was given, or that there is none. */
export async function writeSignature(paper: Paper, signature: ExportedSignature | null): Promise<void> {
  writeHeading(paper, 2, 'Signature');
  if (signature === null) writeParagraph(paper, 'blank', 'Not signed');
  else await writeMark(paper, signature);
}

/** The mark of whoever signed and what was recorded of it, with more where there is more. */
export async function writeMark(paper: Paper, signature: ExportedSignature, more: Recorded[] = []): Promise<void> {
  if (signature.image !== null) {
    const image = await readImage(signature.image);
    const shown =
      image !== null && writeImage(paper, image, `Signature of ${signature.name?.trim() || 'the submitter'}`);
    if (!shown) writeParagraph(paper, 'blank', 'The signature image cannot be shown.');
  }
  const list = openList(paper);
  const entries: Recorded[] = [
    ['Name', 'answer', signature.name],
    ['Method', 'answer', METHODS[signature.method]],
    ['Signed at', 'answer', `${timeText(signature.signedAt)} UTC`],
    ['Consent', 'answer', signature.consentText],
    ['Form version', 'answer', String(signature.formVersion)],
    ['Hash of the form', 'code', signature.formHash],
    ['Hash of the answers', 'code', signature.answersHash],
    ...more,
  ];
  for (const [label, look, text] of entries) {
    if (text !== null && text.trim() !== '') await writeEntry(paper, list, label, [[look, text]]);
  }
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const exact = `${bytes.toLocaleString('en-US')} bytes`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB (${exact})`
    : `${(bytes / 1_000_000).toFixed(1)} MB (${exact})`;
}
