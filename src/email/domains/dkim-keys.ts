import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { NewKey } from './key-pair.ts';
import '../tables.ts';

/** Records of retired keys stay for so long, for mail that is still on its way. */
export const KEPT_MS = 7 * 24 * 3600_000;

/** The selector of the keys from before they came in pairs, which customers share. */
const OLD_SELECTOR = 'carepost';

export type DkimKey = Selectable<Tables['dkim_keys']>;

/** The keys of these domains of a customer, the newest pairs first. */
export function keysOf(tx: Tx, customerId: number, domains: readonly string[]): Promise<DkimKey[]> {
  return tx
    .selectFrom('dkim_keys')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('domain', 'in', domains)
    .orderBy('pair', 'desc')
    .orderBy('algorithm', 'desc')
    .execute();
}

interface Wanted {
  customerId: number;
  domain: string;
  pair: number;
  at: Date;
}

/** Adds a pair; where another node has just added one of that number, that one stays. */
export async function addPair(tx: Tx, keys: CustomerVault, wanted: Wanted, made: NewKey[]): Promise<void> {
  const { customerId, domain, pair, at } = wanted;
  await tx
    .insertInto('dkim_keys')
    .values(
      made.map(({ algorithm, selector, publicKey, privateKey }) => ({
        customer_id: customerId,
        domain,
        selector,
        public_key: publicKey,
        sealed: keys.seal(placeOf({ domain, selector }), privateKey),
        created_at: at,
        algorithm,
        pair,
        seen_at: null,
        retired_at: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['customer_id', 'domain', 'pair', 'algorithm']).doNothing())
    .execute();
}

/** The private part of a key. */
export function openKey(keys: CustomerVault, key: DkimKey): KeyObject {
  return createPrivateKey(keys.open(placeOf(key), key.sealed).toString());
}

/** SQL that names the row of a key as its seal does. */
export const SEALED_ROW = `case selector when '${OLD_SELECTOR}' then domain else domain || '/' || selector end`;

function placeOf({ domain, selector }: Pick<DkimKey, 'domain' | 'selector'>) {
  const row = selector === OLD_SELECTOR ? domain : `${domain}/${selector}`;
  return { table: 'dkim_keys', row, column: 'sealed' };
}
