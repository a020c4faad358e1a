import { sql } from 'kysely';
import { addressKey } from '../../email/index.ts';
import type { SubmissionReference, SubmissionsOf } from '../../marketing/index.ts';
import { SUBMITTER_COLUMN } from './accept.ts';
import '../tables.ts';

/** The latest submissions of whoever has an address, in any form of a customer, the newest first. */
export const submissionsOf: SubmissionsOf = async (tx, keys, { customerId, email }, most) => {
  const index = keys.blindIndex(SUBMITTER_COLUMN, addressKey(email));
  // Form by form, as the index of submitters is.
  const { rows } = await sql<SubmissionReference>`
    select f.id as "formId", s.id as "submissionId", s.created_at as "submittedAt" from forms f
    cross join lateral (
      select id, created_at from submissions s
      where s.customer_id = ${customerId} and s.form_id = f.id and s.submitter_index = ${index}
      order by id desc limit ${most}) s
    where f.customer_id = ${customerId} and not f.deleted
    order by s.id desc limit ${most}`.execute(tx);
  return rows;
};
