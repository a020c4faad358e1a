import { sql } from 'kysely';
import { firstIdAt } from '../../platform/ids.ts';
import { findSubmission, type ReadDeps, type SubmissionIds } from '../submissions/read.ts';

/** One time that somebody saw a submission or was given it. */
export interface Disclosure {
  id: string;
  at: Date;
  actor_kind: string;
  actor_id: string;
  action: string;
}

/** What is done to a submission without its being shown to anybody. */
const NO_DISCLOSURES = ['submission.amended'];

/**
 * Who has read a submission or taken it out (45 CFR 164.528), the latest first, from the audit log. An export of all
 * submissions counts for each that was there; so does a list for each that it showed, and a file that was made of those
 * `before` an id for each of them.
 */
export async function listDisclosures(
  deps: ReadDeps,
  customerId: number,
  ids: SubmissionIds,
  { page, items }: { page: number; items: number },
): Promise<{ disclosures: Disclosure[]; total: number }> {
  const keys = await deps.vault.of(customerId);
  return deps.db.tenant([customerId], async (tx) => {
    const { id, formId, files, createdAt } = await findSubmission(tx, { ...deps, keys }, customerId, ids);
    const named = [id, formId, ...files.map((file) => file.id)];
    // The ids of audit rows are in the order of time. The first two conditions on the action are those of the index.
    const disclosing = sql`from audit_log
      where customer_id = ${customerId} and target = any(${named}::text[]) and id >= ${firstIdAt(createdAt)}
        and action <> 'submission.received' and action ~ '^(submission|attachment|person)'
        and action <> all(${NO_DISCLOSURES}::text[])
        and (target <> ${formId}::text or action = 'submissions.exported' or details -> 'submissions' ? ${id}::text)
        and (details ->> 'before' is null or (details ->> 'before')::uuid > ${id}::uuid)`;
    const counted = await sql<{ total: number }>`select count(*)::int as total ${disclosing}`.execute(tx);
    const { rows } = await sql<Disclosure>`select id, at, actor_kind, actor_id, action ${disclosing}
      order by id desc limit ${items} offset ${(page - 1) * items}`.execute(tx);
    return { disclosures: rows, total: counted.rows[0]?.total ?? 0 };
  });
}
