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

/**
 * The submissions of a form, or of all, that were there when all of it was taken: those that still are, and those that the
 * audit log says were destroyed since.
 */
export async function submissionsBefore(
  tx: Tx,
  customerId: number,
  { formId, before }: { formId: string | null; before: string },
): Promise<string[]> {
  const ofForm = formId === null ? sql`` : sql`and form_id = ${formId}::uuid`;
  const wasOfForm = formId === null ? sql`` : sql`and details ->> 'form' = ${formId}`;
  const { rows } = await sql<{ id: string }>`
    select id::text from submissions where customer_id = ${customerId} ${ofForm} and id < ${before}
    union
    select target from audit_log where customer_id = ${customerId} and id > ${before}
      and action in ('submission.destroyed', 'submission.expired') ${wasOfForm}
      and target::uuid < ${before}::uuid`.execute(tx);
  return rows.map(({ id }) => id);
}
