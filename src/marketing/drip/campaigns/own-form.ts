import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { missingField } from '../../../platform/errors.ts';
import type { Asker } from '../../segments/filters/read-filters.ts';

/** Throws unless a form is the customer's: 404 where there is none, 403 where it is another's. */
export async function requireOwnForm(
  tx: Tx,
  { customerId, requireOwn }: Asker,
  id: string,
  name = 'form_id',
): Promise<void> {
  const missing = missingField(name, 'no such form');
  await requireOwn(tx, customerId, sql<number | null>`find_form_customer(${id})`, missing);
  const { rows } = await sql`
    select from forms where customer_id = ${customerId} and id = ${id} and not deleted`.execute(tx);
  if (rows.length === 0) throw missing;
}
