import type { Database } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Envelope, openEnvelope } from '../submission/sealed-message.ts';
import type { Pickup } from './find-pickup.ts';
import '../tables.ts';

/** The envelope of the message that waits. */
export async function readEnvelope(
  db: Database,
  keys: CustomerVault,
  { customerId, messageId }: Pickup,
): Promise<Envelope> {
  const { envelope } = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('messages')
      .select('envelope')
      .where('customer_id', '=', customerId)
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow(),
  );
  return openEnvelope(keys, messageId, envelope);
}
