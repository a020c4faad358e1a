import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openSubmitter } from './sealed-submission.ts';
import '../tables.ts';

/** The addresses of whoever sent submissions, by the ids of those that are still there; null where nobody is known. */
export async function submittersOf(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await tx
    .selectFrom('submissions as s')
    .innerJoin('submission_keys as k', (join) =>
      join.onRef('k.submission_id', '=', 's.id').onRef('k.customer_id', '=', 's.customer_id'),
    )
    .select(['s.id', 's.submitter', 'k.key'])
    .where('s.customer_id', '=', customerId)
    .where(sql<boolean>`s.id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, openSubmitter(keys, { customerId, id: row.id }, row)]));
}

/** A submission that was taken, and the row of the audit log that tells of its end where it was destroyed since. */
export interface TakenSubmission {
  id: string;
  gone: string | null;
}

/**
 * The submissions of a form, or of all, that were there at one of the moments from the first to the last at which all of it
 * was taken: those that still are, and those that the audit log says were destroyed since the first.
 */
export async function submissionsTaken(
  tx: Tx,
  customerId: number,
  { formId, first, last }: { formId: string | null; first: string; last: string },
): Promise<TakenSubmission[]> {
  const ofForm = formId === null ? sql`` : sql`and form_id = ${formId}::uuid`;
  const wasOfForm = formId === null ? sql`` : sql`and details ->> 'form' = ${formId}`;
  const { rows } = await sql<TakenSubmission>`
    select id::text, null as gone from submissions where customer_id = ${customerId} ${ofForm} and id < ${last}
    union all
    select target, id::text from audit_log where customer_id = ${customerId} and id > ${first}
      and action in ('submission.destroyed', 'submission.expired') ${wasOfForm}
      and target::uuid < ${last}::uuid`.execute(tx);
  return rows;
}
