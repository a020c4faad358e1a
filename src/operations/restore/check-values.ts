import { sql } from 'kysely';
import { listTenants } from '../../accounts/index.ts';
import { checkSubmissions } from '../../forms/index.ts';
import { SEALED_COLUMNS } from '../../jobs.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { SealedColumn } from '../../platform/vault/reseal.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { wereDestroyed } from '../backup/index.ts';

const PAGE = 500;

export interface ValuesReport {
  values: number;
  submissions: number;
  /** Customers whose keys were destroyed: what is left of them is not to be read. */
  destroyed: number;
}

/**
 * Opens every sealed value of every customer that has keys, and tells of each that cannot be opened. Keys that are newer
 * than the records may lack some that were destroyed since.
 */
export async function checkValues(
  { db, vault, keysAreNewer }: { db: Database; vault: Vault; keysAreNewer: boolean },
  onFault: (what: string) => void,
): Promise<ValuesReport> {
  const report: ValuesReport = { values: 0, submissions: 0, destroyed: 0 };
  for (const customerId of await listTenants(db)) {
    const keys = await findKeys(vault, customerId);
    if (keys === null) {
      if (keysAreNewer || (await wereDestroyed(db, customerId))) report.destroyed += 1;
      else onFault(`the keys of customer ${customerId} are missing`);
      continue;
    }
    for (const column of SEALED_COLUMNS) report.values += await checkColumn(db, keys, { customerId, column }, onFault);
    report.submissions += await checkSubmissions({ db, vault }, customerId, onFault);
  }
  return report;
}

/** The keys of a customer; null where it has none. */
export async function findKeys(vault: Vault, customerId: number): Promise<CustomerVault | null> {
  return vault.of(customerId).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}

async function checkColumn(
  db: Database,
  keys: CustomerVault,
  { customerId, column }: { customerId: number; column: SealedColumn },
  onFault: (what: string) => void,
): Promise<number> {
  return db.tenant([customerId], async (tx) => {
    // The copy is nobody else's, so that a long transaction is in nobody's way.
    await sql`declare sealed cursor for
      select (${sql.raw(column.row)})::text as name, ${sql.ref(column.column)} as value from ${sql.table(column.table)}
      where customer_id = ${sql.lit(customerId)} and ${sql.ref(column.column)} is not null`.execute(tx);
    let opened = 0;
    for (let page = await fetchPage(tx); page.length > 0; page = await fetchPage(tx)) {
      for (const { name, value } of page) {
        try {
          keys.open({ table: column.table, row: name, column: column.column }, value);
          opened += 1;
        } catch {
          onFault(`${column.table}.${column.column} of ${name} cannot be opened`);
        }
      }
    }
    return opened;
  });
}

async function fetchPage(tx: Tx): Promise<{ name: string; value: Buffer }[]> {
  return (await sql<{ name: string; value: Buffer }>`fetch ${sql.lit(PAGE)} from sealed`.execute(tx)).rows;
}
