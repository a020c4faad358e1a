import { buffer } from 'node:stream/consumers';
import { type ExportedSignature, timeText } from '../export/exported-submission.ts';
import { type Block, writeBlocks } from '../export/pdf.ts';
import { writeAttachments, writeMark } from '../export/pdf-evidence.ts';
import {
  closePaper,
  openList,
  openPaper,
  type Paper,
  writeEntry,
  writeHeading,
  writeParagraph,
} from '../export/pdf-paper.ts';
import { type CertificateRecord, type RecordedSignature, writeRecord } from './check/record.ts';

const STAMPS = {
  none: null,
  present: 'A time stamp authority has stamped the seal; PDF readers show its time.',
  away: 'A time stamp was wanted, but the authority could not be reached.',
};

/** The pages of a certificate with its record attached, not sealed yet. Nothing is shown that the record lacks. */
export async function writeCertificate(record: CertificateRecord): Promise<Buffer> {
  const title = record.form.title.replace(/[\s\p{Cc}]+/gu, ' ').trim() || 'Form submission';
  const { id } = record.submission;
  const madeAt = new Date(record.made_at);
  const paper = openPaper({ title, subject: `Certificate of submission ${id}`, madeAt, compress: true });
  const whole = buffer(paper.doc);
  const attached = {
    name: 'record.json',
    type: 'application/json',
    description: 'What this certificate says, for programs',
    creationDate: madeAt,
    modifiedDate: madeAt,
    relationship: 'Data',
  };
  paper.doc.file(Buffer.from(writeRecord(record)), attached);
  await writePages(paper, title, record);
  await closePaper(paper, `Certificate of submission ${id}`);
  return whole;
}

async function writePages(paper: Paper, title: string, record: CertificateRecord): Promise<void> {
  const { form, submission, signatures, attachments } = record;
  writeHeading(paper, 1, title);
  const received = `Received ${timeText(new Date(submission.received_at))} UTC`;
  const about = ['Certificate of what was submitted and signed', received, `Submission ${submission.id}`];
  writeParagraph(paper, 'note', [...about, `Form ${form.id}, version ${form.version}`].join('\n'));
  writeParagraph(paper, 'code', `SHA-256 of the form ${form.hash}`);
  await writeBlocks(paper, record.shown as Block[]);
  await writeAttachments(paper, attachments);
  for (const signature of signatures) {
    writeHeading(paper, 2, signatures.length === 1 ? 'Signature' : `Signature: ${signature.role}`);
    await writeMark(paper, exportedOf(signature), [
      ['Signed as', 'answer', signature.role],
      ['Proof of the installation', 'code', signature.proof],
    ]);
  }
  if (!record.complete) writeParagraph(paper, 'text', 'Others are still to sign. A later certificate has all of them.');
  await writeSealing(paper, record);
  if (paper.lacking) {
    writeParagraph(paper, 'remark', 'Where a box stands, the font lacks the sign. The attached record has it.');
  }
  if (paper.isCut) {
    writeParagraph(
      paper,
      'remark',
      'Where an answer is shortened or left out, the attached record has the whole of it.',
    );
  }
}

async function writeSealing(paper: Paper, record: CertificateRecord): Promise<void> {
  writeHeading(paper, 2, 'This certificate');
  const list = openList(paper);
  const stamp = STAMPS[record.time_stamp];
  await writeEntry(paper, list, 'Made', [['answer', `${timeText(new Date(record.made_at))} UTC`]]);
  await writeEntry(paper, list, 'Sealed with the key', [['code', record.sealed_by[0] ?? '']]);
  if (stamp !== null) await writeEntry(paper, list, 'Time stamp', [['answer', stamp]]);
  await writeEntry(paper, list, 'How to check it', [
    [
      'answer',
      `Open ${record.verify_url}, which works without a network as well, or run: carepost verify FILE --key KEY`,
    ],
    [
      'answer',
      'Any change to this file, even of one byte, breaks the seal. Ask the clinic for its key by another way.',
    ],
    ['answer', 'The attached record.json says the same in a form that programs read.'],
  ]);
}

function exportedOf(signature: RecordedSignature): ExportedSignature {
  return {
    name: signature.name,
    method: signature.method as ExportedSignature['method'],
    signedAt: new Date(signature.signed_at),
    consentText: signature.consent_text,
    formVersion: signature.form_version,
    formHash: signature.form_hash,
    answersHash: signature.answers_hash,
    image: signature.image === null ? null : Buffer.from(signature.image, 'base64'),
  };
}
