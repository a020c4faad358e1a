import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { KEPT_MS } from './dkim-keys.ts';
import '../tables.ts';

/** Says whether mails of a customer from a domain are to leave that no message tells of yet. */
export type HasOpenSends = (tx: Tx, customerId: number, domain: string) => Promise<boolean>;

interface Deps {
  db: Database;
  clock: Clock;
  hasOpenSends: HasOpenSends;
}

/** Deletes keys that were retired a while ago. Those of a domain that was taken away stay while mail from it is still to leave. */
export async function sweepKeys(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - KEPT_MS);
  const past = await deps.db.untenanted((tx) =>
    tx.selectFrom('dkim_keys').select(['customer_id', 'domain']).distinct().where('retired_at', '<', before).execute(),
  );
  for (const { customer_id: customerId, domain } of past) {
    await deps.db.tenant([customerId], async (tx) => {
      if (await stillSigns(tx, deps.hasOpenSends, customerId, domain)) return;
      await tx
        .deleteFrom('dkim_keys')
        .where('customer_id', '=', customerId)
        .where('domain', '=', domain)
        .where('retired_at', '<', before)
        .execute();
    });
  }
}

async function stillSigns(tx: Tx, hasOpenSends: HasOpenSends, customerId: number, domain: string): Promise<boolean> {
  const { rows } = await sql<{ replaced: boolean; waits: boolean }>`
    select exists (select from dkim_keys
        where customer_id = ${customerId} and domain = ${domain} and retired_at is null) as replaced,
      exists (select from message_recipients r
        join messages m on m.customer_id = ${customerId} and m.id = r.message_id
        where r.customer_id = ${customerId} and (r.due_at is not null or r.parked)
          and (m.from_address like '%@' || ${domain} or m.from_address like '%.' || ${domain})) as waits`.execute(tx);
  const { replaced = false, waits = false } = rows[0] ?? {};
  return !replaced && (waits || (await hasOpenSends(tx, customerId, domain)));
}
