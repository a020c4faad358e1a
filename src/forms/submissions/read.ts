import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { canonicalUuid, isUuid } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { requireOwnForm } from '../definition/form.ts';
import type { SubmittedFile } from './sealed-submission.ts';
import { open, requireOwnSubmission, type Submission, selectSubmissions, submissionNotFound } from './submission.ts';

export interface ReadDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  requireOwn: OwnershipCheck;
}

/** Names one submission of one form. */
export interface SubmissionIds {
  formId: string;
  submissionId: string;
}

/** One submission; that it was read is in the audit log before it is given out. */
export async function readSubmission(deps: ReadDeps, act: Act, ids: SubmissionIds): Promise<Submission> {
  const keys = await deps.vault.of(act.customerId);
  return deps.db.tenant([act.customerId], async (tx) => {
    const submission = await findSubmission(tx, { ...deps, keys }, act.customerId, ids);
    await recordAct(tx, deps.clock, act, { target: submission.id, details: { form: submission.formId } });
    return submission;
  });
}

/** A file of a submission, by its id; reading it is recorded as well. */
export async function readFile(
  deps: ReadDeps,
  act: Act,
  { fileId, ...ids }: SubmissionIds & { fileId: string },
): Promise<SubmittedFile> {
  const keys = await deps.vault.of(act.customerId);
  return deps.db.tenant([act.customerId], async (tx) => {
    const { id, files } = await findSubmission(tx, { ...deps, keys }, act.customerId, ids);
    const file = isUuid(fileId) ? files.find((each) => each.id === canonicalUuid(fileId)) : undefined;
    if (file === undefined) throw await refuseFile(tx, deps.requireOwn, act.customerId, fileId);
    await recordAct(tx, deps.clock, act, { target: file.id, details: { submission: id } });
    return file;
  });
}

/** A file of another customer is refused as such, even where it is looked for in a submission of one's own. */
async function refuseFile(tx: Tx, requireOwn: OwnershipCheck, customerId: number, id: string): Promise<AppError> {
  const missing = 'No such attachment';
  if (isUuid(id)) await requireOwn(tx, customerId, sql<number | null>`find_submission_file_customer(${id})`, missing);
  return new AppError('not_found', missing);
}

/** The ids of a submission as they are stored. It is not opened: what cannot be read can still be destroyed. */
export async function locateSubmission(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  ids: SubmissionIds,
): Promise<{ id: string; formId: string }> {
  await requireOwnIds(tx, requireOwn, customerId, ids);
  const row = await tx
    .selectFrom('submissions')
    .select(['id', 'form_id'])
    .where('customer_id', '=', customerId)
    .where('form_id', '=', ids.formId)
    .where('id', '=', ids.submissionId)
    .executeTakeFirst();
  if (row === undefined) throw submissionNotFound();
  return { id: row.id, formId: row.form_id };
}

async function requireOwnIds(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { formId, submissionId }: SubmissionIds,
): Promise<void> {
  await requireOwnForm(tx, requireOwn, customerId, formId);
  await requireOwnSubmission(tx, requireOwn, customerId, submissionId);
}

/** One submission of a form of the customer. */
export async function findSubmission(
  tx: Tx,
  { requireOwn, keys }: { requireOwn: OwnershipCheck; keys: CustomerVault },
  customerId: number,
  ids: SubmissionIds,
): Promise<Submission> {
  await requireOwnIds(tx, requireOwn, customerId, ids);
  const { formId, submissionId } = ids;
  const row = await selectSubmissions(tx, customerId, formId).where('s.id', '=', submissionId).executeTakeFirst();
  if (row === undefined) throw submissionNotFound();
  return open(keys, customerId, row);
}
