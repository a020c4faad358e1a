import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** A form that somebody has submitted, and how often. */
export interface FormOfPerson {
  id: string;
  title: string;
  submissions: number;
}

/** The forms of a customer that whoever has an address has submitted, deleted ones included. */
export async function formsOfPerson(tx: Tx, customerId: number, submitterIndex: Buffer): Promise<FormOfPerson[]> {
  // Form by form, as the index of submitters is.
  const { rows } = await sql<FormOfPerson>`
    select f.id, f.title, s.submissions from forms f
    cross join lateral (
      select count(*)::int as submissions from submissions s
      where s.customer_id = ${customerId} and s.form_id = f.id and s.submitter_index = ${submitterIndex}) s
    where f.customer_id = ${customerId} and s.submissions > 0
    order by f.id`.execute(tx);
  return rows;
}
