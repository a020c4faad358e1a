import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { clearDestroyedKeys } from '../platform/vault/database-key-store.ts';
import type { KeyStore } from '../platform/vault/key-store.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { recordAct } from './audit/record.ts';
import { requireNothingHeld } from './holds/held.ts';

interface Deps {
  ownerUrl: string;
  db: Database;
  store: KeyStore;
  vault: Vault;
  clock: Clock;
  backupDays: number;
}

export interface Destruction {
  /** When the last backup that still holds the keys is gone; null where none ever held them. */
  backupsExpireOn: string | null;
}

/**
 * Destroys a customer's keys, unless something of it is held: nothing sealed for it can be read again. Can be repeated
 * after a crash.
 */
export async function destroyCustomerKeys(deps: Deps, act: Act): Promise<Destruction> {
  const { ownerUrl, db, store, vault, clock, backupDays } = deps;
  const now = clock.now();
  await db.tenant([act.customerId], (tx) => requireNothingHeld(tx, act.customerId));
  await store.destroy(act.customerId);
  vault.forget(act.customerId);
  if (store.kind === 'database') await clearDestroyedKeys(ownerUrl);
  const expiry = new Date(now.getTime() + backupDays * 24 * 3600_000).toISOString().slice(0, 10);
  const backupsExpireOn = store.kind === 'database' ? expiry : null;
  await db.tenant([act.customerId], async (tx) => {
    await tx
      .insertInto('key_destructions')
      .values({
        customer_id: act.customerId,
        destroyed_at: now,
        destroyed_by: `${act.actor.kind} ${act.actor.id}`,
        key_store: store.kind,
        backups_expire_on: backupsExpireOn,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await recordAct(tx, clock, act, { details: { keyStore: store.kind } });
  });
  return { backupsExpireOn };
}
