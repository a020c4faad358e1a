import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { hashSecret, newSecret } from '../../platform/secret.ts';
import type { Pickup } from './find-pickup.ts';
import { MINUTE_MS, SESSION_MINUTES } from './rules.ts';
import '../tables.ts';

/** Begins a session at a pickup and answers its secret. */
export async function beginSession(tx: Tx, clock: Clock, pickup: Pickup): Promise<string> {
  const secret = newSecret();
  await tx
    .insertInto('pickup_sessions')
    .values({
      secret_hash: hashSecret(secret) as Buffer,
      customer_id: pickup.customerId,
      pickup_id: pickup.id,
      expires_at: new Date(clock.now().getTime() + SESSION_MINUTES * MINUTE_MS),
    })
    .execute();
  return secret;
}

/** Whether a secret is that of a session at this pickup that goes on. */
export async function inSession(
  { db, clock }: { db: Database; clock: Clock },
  pickup: Pickup,
  secret: string | null,
): Promise<boolean> {
  const hash = secret === null ? null : hashSecret(secret);
  if (hash === null) return false;
  const found = await db.tenant([pickup.customerId], (tx) =>
    tx
      .selectFrom('pickup_sessions')
      .select('pickup_id')
      .where('customer_id', '=', pickup.customerId)
      .where('pickup_id', '=', pickup.id)
      .where('secret_hash', '=', hash)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst(),
  );
  return found !== undefined;
}
