import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { SUBSCRIBER_COLUMNS, type Subscriber } from '../subscribers/subscriber.ts';
import '../tables.ts';

/** A person with the custom fields as they are stored. */
export interface ExportedPerson extends Subscriber {
  fields: Record<string, string>;
  sealed_fields: Buffer | null;
}

/** A person may have a thousand fields of a thousand characters each: a page of such people would be a gigabyte. */
const PAGE_BYTES = 8 * 2 ** 20;

const COLUMNS = [...SUBSCRIBER_COLUMNS, 'fields', 'sealed_fields'] as const satisfies (keyof ExportedPerson)[];

/** The first of some people who fit into the memory of a page, one at least, in the order of their ids. */
export async function readExported(tx: Tx, customerId: number, ids: string[]): Promise<ExportedPerson[]> {
  const { rows } = await sql<ExportedPerson>`
    with sized as (
      select id, octet_length(fields::text) + coalesce(octet_length(sealed_fields), 0) as bytes
      from subscribers where customer_id = ${customerId} and id = any(${ids}::uuid[])),
    summed as (select id, sum(bytes) over (order by id) - bytes as before from sized)
    select ${sql.join(COLUMNS.map((column) => sql.ref(`s.${column}`)))}
    from subscribers s join summed using (id)
    where s.customer_id = ${customerId} and summed.before < ${PAGE_BYTES} order by s.id`.execute(tx);
  return rows;
}
