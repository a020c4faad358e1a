import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import '../tables.ts';

interface Link {
  sendId: number;
  number: number;
}

/** Seals where a link of a send leads. */
export function sealTarget(keys: CustomerVault, link: Link, target: string): Buffer {
  return keys.seal(placeOf(link), target);
}

/** Where a link of a send leads, from its row. */
export function openTarget(keys: CustomerVault, link: Link, sealed: Buffer): string {
  return keys.open(placeOf(link), sealed).toString();
}

/** Where a link of a send leads; null where it has none of that number. */
export async function readTarget(tx: Tx, keys: CustomerVault, customerId: number, link: Link): Promise<string | null> {
  const row = await tx
    .selectFrom('tracking_links')
    .select('sealed')
    .where('customer_id', '=', customerId)
    .where('send_id', '=', link.sendId)
    .where('number', '=', link.number)
    .executeTakeFirst();
  return row === undefined ? null : openTarget(keys, link, row.sealed);
}

function placeOf({ sendId, number }: Link) {
  return { table: 'tracking_links', row: `${sendId}/${number}`, column: 'sealed' };
}
