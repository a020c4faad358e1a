import { sql } from 'kysely';
import type { Database, Tx } from '../db/database.ts';
import type { CustomerVault, Vault } from './vault.ts';

/** A column that holds sealed values; `row` is the SQL that names its row as the seal does. */
export interface SealedColumn {
  table: string;
  row: string;
  column: string;
}

const PAGE = 200;

/**
 * Seals everything of a customer that an older key version sealed anew under the current one, in
 * short transactions beside normal work. Stopped half way, it goes on where rows are still old.
 */
export async function resealCustomer(
  { db, vault }: { db: Database; vault: Vault },
  customerId: number,
  columns: SealedColumn[],
): Promise<number> {
  await vault.settled(customerId); // until then the old version still seals, and nothing is found to be old
  const keys = await vault.of(customerId);
  let count = 0;
  for (const column of columns) {
    for (let page = PAGE; page === PAGE; count += page) {
      page = await db.tenant([customerId], (tx) => resealPage(tx, keys, customerId, column));
    }
  }
  return count;
}

async function resealPage(tx: Tx, keys: CustomerVault, customerId: number, place: SealedColumn): Promise<number> {
  const [table, column, row] = [sql.table(place.table), sql.ref(place.column), sql.raw(place.row)];
  const current = Buffer.alloc(4);
  current.writeUInt32BE(keys.version);
  // Bytes 2 to 5 of a sealed value name its key version; the place of the row itself is its ctid.
  const { rows } = await sql<{ at: string; part: string; name: string; value: Buffer }>`
    select ctid::text as at, tableoid::text as part, (${row})::text as name, ${column} as value from ${table}
    where customer_id = ${customerId} and substring(${column} from 2 for 4) < ${current}
    limit ${PAGE} for update`.execute(tx);
  for (const { at, part, name, value } of rows) {
    const where = { table: place.table, row: name, column: place.column };
    const sealed = keys.seal(where, keys.open(where, value));
    await sql`update ${table} set ${column} = ${sealed}
      where ctid = ${at}::tid and tableoid = ${part}::oid and customer_id = ${customerId}`.execute(tx);
  }
  return rows.length;
}
