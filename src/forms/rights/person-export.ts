import { recordAct, type SigningKey } from '../../accounts/index.ts';
import { addressKey } from '../../email/index.ts';
import type { Act } from '../../platform/act.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import { describeSubmission } from '../api/submission-reply.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { writeZip, type ZipEntry } from '../export/zip.ts';
import { SUBMITTER_COLUMN } from '../submissions/accept.ts';
import { readAll } from '../submissions/export.ts';
import type { ReadDeps } from '../submissions/read.ts';
import type { Submission } from '../submissions/submission.ts';
import { writeSubmissionPdf } from '../submissions/submission-pdf.ts';
import { type FormOfPerson, formsOfPerson } from './forms-of-person.ts';

export interface PersonDeps extends Omit<ReadDeps, 'requireOwn'> {
  blobs: SealedBlobs;
  findVersion: FindVersion;
  publicUrl: string;
  signingKey: SigningKey;
}

/** All submissions of a person as an archive that is made while it is read. */
export interface PersonExport {
  submissions: number;
  archive: AsyncIterable<Buffer>;
}

/**
 * Opens everything that somebody with an address has submitted to a customer's forms, deleted ones too (45 CFR
 * 164.524): each submission as JSON and as PDF with its files, and a list of all of them. The audit log has the counts
 * and each submission that left, and not the address.
 */
export async function exportPerson(deps: PersonDeps, act: Act, email: string): Promise<PersonExport> {
  const { customerId } = act;
  const submitterIndex = (await deps.vault.of(customerId)).blindIndex(SUBMITTER_COLUMN, addressKey(email));
  const forms = await deps.db.tenant([customerId], async (tx) => {
    const found = await formsOfPerson(tx, customerId, submitterIndex);
    const details = { forms: found.length, submissions: sumOf(found) };
    await recordAct(tx, deps.clock, act, { details });
    return found;
  });
  return {
    submissions: sumOf(forms),
    archive: writeZip(entriesOf(deps, act, { forms, submitterIndex })),
  };
}

async function* entriesOf(
  deps: PersonDeps,
  act: Act,
  { forms, submitterIndex }: { forms: FormOfPerson[]; submitterIndex: Buffer },
): AsyncGenerator<ZipEntry> {
  const { customerId } = act;
  const keys = await deps.vault.of(customerId);
  const index: object[] = [];
  for (const form of forms) {
    const wanted = { customerId, formId: form.id, submissionId: null, submitterIndex };
    for await (const submission of readAll(deps, keys, wanted)) {
      await deps.db.tenant([customerId], (tx) =>
        recordAct(tx, deps.clock, act, { target: submission.id, details: { form: form.id } }),
      );
      const folder = `${form.id}/${submission.id}`;
      yield* entriesOfSubmission(deps, customerId, submission, folder);
      index.push({
        folder,
        form: form.id,
        title: form.title,
        submission: submission.id,
        received: submission.createdAt.toISOString(),
        files: submission.files.length,
        amendments: submission.amendments.length,
      });
    }
  }
  yield { name: 'index.json', content: [jsonOf({ count: index.length, submissions: index })] };
}

async function* entriesOfSubmission(
  deps: PersonDeps,
  customerId: number,
  submission: Submission,
  folder: string,
): AsyncGenerator<ZipEntry> {
  const described = describeSubmission(submission, { ...deps, recipient: null });
  yield { name: `${folder}/submission.json`, content: [jsonOf(described)] };
  yield { name: `${folder}/submission.pdf`, content: await writeSubmissionPdf(deps, customerId, submission) };
  for (const [at, { id, name }] of submission.files.entries()) {
    yield { name: `${folder}/files/${at + 1}-${fileName(name)}`, content: deps.blobs.read(customerId, id) };
  }
}

function sumOf(forms: FormOfPerson[]): number {
  return forms.reduce((sum, { submissions }) => sum + submissions, 0);
}

function jsonOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** A name that every system can write to a disk. */
export function fileName(name: string): string {
  return name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_').replace(/[. ]+$/, '') || 'file';
}
