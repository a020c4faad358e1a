import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Hold, openHold, openRelease } from './hold.ts';
import '../tables.ts';

const MOST = 500;

/** The legal holds of a customer: those that stand first, then what was released, the newest first. */
export async function listHolds(tx: Tx, keys: CustomerVault, customerId: number): Promise<Hold[]> {
  const rows = await tx
    .selectFrom('legal_holds')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy((eb) => eb('released_at', 'is not', null))
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    target: row.target,
    ...openHold(keys, row.id, row.sealed),
    setAt: row.set_at,
    setBy: { kind: row.set_by_kind, id: row.set_by },
    releasedAt: row.released_at,
    releaseReason: row.release === null ? null : openRelease(keys, row.id, row.release),
  }));
}
