import type { Database } from '../db/database.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import './tables.ts';

/** Customer keys beside the rows they seal: nothing more to run, but backups hold them too. */
export function createDatabaseKeyStore(db: Database): KeyStore {
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
      db.tenant([customerId], async (tx) => {
        const rows = keys.map((key) => rowOf(customerId, key));
        await tx
          .insertInto('customer_keys')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
    rewrap: (customerId, keys) =>
      db.tenant([customerId], async (tx) => {
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
      db.tenant([customerId], async (tx) => {
        await tx.deleteFrom('customer_keys').where('customer_id', '=', customerId).execute();
      }),
  };
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
