import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import '../tables.ts';

const PAGE = 1_000;

/**
 * Removes the content of messages that are older than its retention and have nothing left to deliver; envelope,
 * attempts and events stay. What waits at the pickup page is there to be opened, and for as long again once it was.
 * Files lose their rows with it, and the sweep of orphans takes them.
 */
export async function sweepContents({ db, clock }: { db: Database; clock: Clock }, days: number): Promise<void> {
  const before = new Date(clock.now().getTime() - days * 24 * 3600_000);
  const end = firstIdAt(before);
  const owners = await db.untenanted((tx) =>
    tx.selectFrom('message_contents').select('customer_id').distinct().where('id', '<', end).execute(),
  );
  for (const { customer_id: customerId } of owners) {
    for (let page = PAGE; page === PAGE; ) {
      page = await db.tenant([customerId], (tx) => removePage(tx, customerId, before));
    }
  }
}

async function removePage(tx: Tx, customerId: number, before: Date): Promise<number> {
  const { rows } = await sql<{ blob_ids: string[] | null }>`
    delete from message_contents where customer_id = ${customerId} and id in (
      select c.id from message_contents c
      where c.customer_id = ${customerId} and c.id < ${firstIdAt(before)}::uuid and not exists (
        select from message_recipients r
        where r.customer_id = ${customerId} and r.message_id = c.id and (r.state in ('queued', 'noticed')
          or r.state = 'delivered' and r.portal and r.settled_at >= ${before}))
      limit ${PAGE})
    returning blob_ids`.execute(tx);
  const files = rows.flatMap(({ blob_ids: ids }) => ids ?? []);
  if (files.length > 0) {
    await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', 'in', files).execute();
  }
  return rows.length;
}
