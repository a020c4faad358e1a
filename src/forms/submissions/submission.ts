import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Amendment, openAmendments, type StoredAmendment } from '../rights/amendment.ts';
import { openSigners, SIGNERS, type Signer } from '../signing/signer.ts';
import { openSubmission, openSubmitter, type SubmissionContent } from './sealed-submission.ts';
import '../tables.ts';

/** A submission, opened. */
export interface Submission extends SubmissionContent {
  id: string;
  formId: string;
  formVersion: number;
  submitterEmail: string | null;
  createdAt: Date;
  /** What was set right or said against it since; the answers above are as they came. */
  amendments: Amendment[];
  /** Who is to sign it beside whoever sent it, or has. */
  signers: Signer[];
}

const AMENDMENTS = sql<StoredAmendment[] | null>`(
  select json_agg(json_build_object('id', a.id, 'at', a.at, 'sealed', encode(a.sealed, 'hex')) order by a.id)
  from submission_amendments a where a.customer_id = s.customer_id and a.submission_id = s.id)`;

/** Submissions of a form as they are stored, each with its key, its amendments and its signers. */
export function selectSubmissions(tx: Tx, customerId: number, formId: string) {
  return tx
    .selectFrom('submissions as s')
    .innerJoin('submission_keys as k', (join) =>
      join.onRef('k.submission_id', '=', 's.id').onRef('k.customer_id', '=', 's.customer_id'),
    )
    .select(['s.id', 's.form_id', 's.form_version', 's.submitter', 's.sealed', 's.created_at', 'k.key'])
    .select([AMENDMENTS.as('amendments'), SIGNERS.as('signers')])
    .where('s.customer_id', '=', customerId)
    .where('s.form_id', '=', formId);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectSubmissions>['executeTakeFirstOrThrow']>>;

/** Opens a stored submission. */
export function open(keys: CustomerVault, customerId: number, row: Row): Submission {
  const ids = { customerId, id: row.id };
  return {
    ...openSubmission(keys, ids, row),
    id: row.id,
    formId: row.form_id,
    formVersion: row.form_version,
    submitterEmail: openSubmitter(keys, ids, row),
    createdAt: row.created_at,
    amendments: openAmendments(keys, { ...ids, key: row.key }, row.amendments),
    signers: openSigners(keys, { ...ids, key: row.key }, row.signers),
  };
}

/** Throws unless a submission is the customer's: 404 where none has the id, 403 where it is another's. */
export async function requireOwnSubmission(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw submissionNotFound();
  await requireOwn(tx, customerId, sql<number | null>`find_submission_customer(${id})`, 'No such submission');
}

/** The one refusal of every id that leads to no submission of a form. */
export function submissionNotFound(): AppError {
  return new AppError('not_found', 'No such submission');
}
