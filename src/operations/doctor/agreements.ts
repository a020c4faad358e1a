import { listCustomers } from '../../accounts/index.ts';
import { type Database, type Tx, withDatabase } from '../../platform/db/database.ts';
import { type Check, failed, ok } from './check.ts';

/** Whether a business associate agreement is in force for every customer that has not been closed or destroyed. */
export const agreements: Check = {
  name: 'agreements',
  needs: 'database',
  async look(bench) {
    const today = bench.clock.now().toISOString().slice(0, 10);
    const without = await withDatabase(bench, 'app', (db) => listWithout(db, today));
    if (without.length === 0) return [ok('in force for every customer that is open')];
    return [failed(`none in force for ${without.join(', ')}`, 'carepost agreement record')];
  },
};

async function listWithout(db: Database, today: string): Promise<string[]> {
  const without: string[] = [];
  for (const { id, username } of await listCustomers(db)) {
    const lacks = await db.tenant([id], (tx) => lacksAgreement(tx, id, today));
    if (lacks) without.push(username);
  }
  return without;
}

async function lacksAgreement(tx: Tx, id: number, today: string): Promise<boolean> {
  const open = await tx
    .selectFrom('customers')
    .select('id')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .where('destroyed_at', 'is', null)
    .executeTakeFirst();
  if (open === undefined) return false;
  const agreement = await tx
    .selectFrom('agreements')
    .select('id')
    .where('customer_id', '=', id)
    .where('signed_on', '<=', today)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', today)]))
    .executeTakeFirst();
  return agreement === undefined;
}
