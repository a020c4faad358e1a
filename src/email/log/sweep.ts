import { sql } from 'kysely';
import { listTenants, notHeld, type RetentionTimes, retentionOf, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { peopleOfMessage } from './people-of-message.ts';
import '../tables.ts';

const PAGE = 1_000;
const DAY_MS = 24 * 3600_000;

/**
 * Removes the content of messages that are older than its retention, have nothing left to deliver and are not held;
 * envelope, attempts and events stay. What waits at the pickup page is there to be opened, and for as long again once it was.
 * Files lose their rows with it, and the sweep of orphans takes them.
 */
export async function sweepContents(
  { db, clock }: { db: Database; clock: Clock },
  operator: RetentionTimes,
): Promise<void> {
  for (const customerId of await listTenants(db)) {
    for (let page = PAGE; page === PAGE; ) {
      page = await db.tenant([customerId], async (tx) => {
        const { contentDays } = await retentionOf(tx, customerId, operator);
        return removePage(tx, customerId, new Date(clock.now().getTime() - contentDays * DAY_MS));
      });
    }
  }
}

async function removePage(tx: Tx, customerId: number, before: Date): Promise<number> {
  await shareHolds(tx, customerId);
  const { rows } = await sql<{ blob_ids: string[] | null }>`
    delete from message_contents where customer_id = ${customerId} and id in (
      select c.id from message_contents c
      where c.customer_id = ${customerId} and c.id < ${firstIdAt(before)}::uuid and not exists (
        select from message_recipients r
        where r.customer_id = ${customerId} and r.message_id = c.id and (r.state in ('queued', 'noticed')
          or r.state = 'delivered' and r.portal and r.settled_at >= ${before}))
        and ${notHeld(customerId, sql`array[c.id]`, peopleOfMessage(customerId, sql.ref('c.id')))}
      limit ${PAGE})
    returning blob_ids`.execute(tx);
  const files = rows.flatMap(({ blob_ids: ids }) => ids ?? []);
  if (files.length > 0) {
    await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', 'in', files).execute();
  }
  return rows.length;
}
