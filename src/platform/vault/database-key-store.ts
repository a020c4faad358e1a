import type { Database, Tx } from '../db/database.ts';
import { withConnection } from '../db/pool.ts';
import { type KeyStore, requireEarlier, type StoredKey, takeTurn } from './key-store.ts';
import './tables.ts';

// Whoever needs a key waits behind it.
const LOCK_TIMEOUT_MS = 1_500;

/** Customer keys beside the rows they seal: nothing more to run, but backups hold them too. */
export function createDatabaseKeyStore(db: Database): KeyStore {
  function inTurn(customerId: number, change: (tx: Tx) => Promise<unknown>): Promise<void> {
    return db.tenant([customerId], async (tx) => {
      await takeTurn(tx, customerId);
      await change(tx);
    });
  }

  return {
    kind: 'database',
    load: (customerId) =>
      db.tenant([customerId], async (tx) => {
        const rows = await tx.selectFrom('customer_keys').selectAll().where('customer_id', '=', customerId).execute();
        return rows.map((row) => ({
          purpose: row.purpose,
          version: row.version,
          masterKeyId: row.master_key_id,
          wrapped: row.wrapped,
          createdAt: row.created_at,
        }));
      }),
    add: (customerId, keys) =>
      inTurn(customerId, async (tx) => {
        const known = tx.selectFrom('customer_keys').select('version').where('customer_id', '=', customerId).limit(1);
        requireEarlier(await known.execute(), keys);
        const rows = keys.map((key) => rowOf(customerId, key));
        await tx
          .insertInto('customer_keys')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
    rewrap: (customerId, keys) =>
      inTurn(customerId, async (tx) => {
        for (const key of keys) {
          await tx
            .updateTable('customer_keys')
            .set({ master_key_id: key.masterKeyId, wrapped: key.wrapped })
            .where('customer_id', '=', customerId)
            .where('purpose', '=', key.purpose)
            .where('version', '=', key.version)
            .execute();
        }
      }),
    destroy: (customerId) =>
      inTurn(customerId, (tx) => tx.deleteFrom('customer_keys').where('customer_id', '=', customerId).execute()),
  };
}

/**
 * Writes the table anew without the rows that were deleted: they stay in its pages otherwise, and physical backups copy
 * pages. It gives up where somebody holds the table, or where the owner may not begin a new WAL file.
 */
export async function clearDestroyedKeys(ownerUrl: string): Promise<void> {
  try {
    await withConnection(ownerUrl, async (client) => {
      await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query('vacuum full public.customer_keys');
      await client.query('select pg_switch_wal()');
    });
  } catch {
    // The keys are destroyed all the same; pages and WAL are used again in time.
  }
}

function rowOf(customerId: number, key: StoredKey) {
  return {
    customer_id: customerId,
    purpose: key.purpose,
    version: key.version,
    master_key_id: key.masterKeyId,
    wrapped: key.wrapped,
    created_at: key.createdAt,
  };
}
