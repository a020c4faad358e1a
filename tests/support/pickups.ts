import { createHash, randomUUID } from 'node:crypto';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { TestApp } from './app.ts';

/** A message that waits to be picked up, with a code, a session and a reply. */
export async function addPickup(
  app: TestApp,
  { id: customerId, mark }: { id: number; mark: string },
  messageId: string,
): Promise<void> {
  const bytes = Buffer.from(mark);
  const hash = createHash('sha256').update(mark).digest();
  const pickupId = randomUUID();
  await withConnection(app.installation.ownerUrl, async (client) => {
    const add = (rows: string, values: unknown[]) => client.query(`insert into ${rows}`, values);
    await add(
      `pickups (id, customer_id, message_id, ordinal, token_hash, sealed, created_at, expires_at)
       values ($1, $2, $3, 0, $4, $5, now(), now() + interval '30 days')`,
      [pickupId, customerId, messageId, hash, bytes],
    );
    const [own, of] = [randomUUID(), [customerId, pickupId]];
    await add(`pickup_codes (id, customer_id, pickup_id, code_index, created_at) values ($1, $2, $3, $4, now())`, [
      own,
      ...of,
      bytes,
    ]);
    await add(`pickup_sessions values ($1, $2, $3, now() + interval '30 minutes')`, [hash, ...of]);
    await add('pickup_replies values ($1, $2, $3, now())', [own, ...of]);
  });
}
