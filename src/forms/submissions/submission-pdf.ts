import type { Readable } from 'node:stream';
import type { Database } from '../../platform/db/database.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { selectForms } from '../definition/form.ts';
import { requireReadable } from '../end-to-end/require-readable.ts';
import { whatWasAskedThen } from '../model/asked.ts';
import { todayAt } from '../model/today.ts';
import { toExported } from './export.ts';
import { asShown } from './shown-form.ts';
import { type Submission, submissionNotFound } from './submission.ts';

/** A submission as an accessible PDF: as it came, with what was set right since after it. */
export async function writeSubmissionPdf(
  { db, findVersion }: { db: Database; findVersion: FindVersion },
  customerId: number,
  submission: Submission,
): Promise<Readable> {
  const { formId, formVersion, amendments, createdAt } = submission;
  requireReadable(submission);
  const form = await db.tenant([customerId], (tx) => selectForms(tx, customerId, [formId]).executeTakeFirst());
  const version = await findVersion({ id: formId, customerId }, formVersion);
  if (form === undefined || version === null) throw submissionNotFound();
  const { signable } = version;
  const { title, model } = asShown(submission, version, form);
  const isAsked = whatWasAskedThen(model, submission, todayAt(createdAt));
  // Loaded where it is needed only: it and its fonts take 12 MB.
  const { writePdf } = await import('../export/pdf.ts');
  return writePdf({
    title,
    submission: toExported(submission, model),
    amendments,
    model,
    signable,
    isAsked,
  });
}
