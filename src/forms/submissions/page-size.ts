import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** Rows of one transaction: none may live long, and an export of a million rows does. */
export const PAGE_ROWS = 500;
const PAGE_BYTES = 16 * 2 ** 20;

/** What stands beside a submission `s` comes along with it, in hex. */
const BESIDE = sql<number>`(2 * (
  (select coalesce(sum(octet_length(a.sealed)), 0) from submission_amendments a
    where a.customer_id = s.customer_id and a.submission_id = s.id)
  + (select coalesce(sum(coalesce(octet_length(g.sealed), 0)), 0) from submission_signers g
    where g.customer_id = s.customer_id and g.submission_id = s.id)
  + (select coalesce(sum(octet_length(e.sealed)), 0) from submission_signatures e
    where e.customer_id = s.customer_id and e.submission_id = s.id)))`;

/** The ids of a form's submissions, each with the bytes that reading it takes. */
export function selectSizes(tx: Tx, customerId: number, formId: string) {
  return tx
    .selectFrom('submissions as s')
    .select(['s.id', sql<number>`(octet_length(s.sealed) + ${BESIDE})::int`.as('size')])
    .where('s.customer_id', '=', customerId)
    .where('s.form_id', '=', formId);
}

/** The first of these that fit into the memory of a page, one at least. */
export function withinBytes(sized: { id: string; size: number }[]): string[] {
  let bytes = 0;
  const end = sized.findIndex(({ size }, index) => (bytes += size) > PAGE_BYTES && index > 0);
  return (end === -1 ? sized : sized.slice(0, end)).map(({ id }) => id);
}
