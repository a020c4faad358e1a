import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { openAddress } from '../suppressions/sealed-address.ts';
import '../tables.ts';

/** Somebody whom a message went to. */
export interface Addressee {
  name: string | null;
  address: string;
}

/** Whom messages went to, by the ids of those that are still there. */
export async function addresseesOf(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  ids: readonly string[],
): Promise<Map<string, Addressee[]>> {
  const rows = await tx
    .selectFrom('messages')
    .select(['id', 'envelope'])
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, envelope }) => [
      id,
      openEnvelope(keys, id, envelope).recipients.map(({ name, address }) => ({ name, address })),
    ]),
  );
}

/** The addresses of suppressions that are still there, by the names under which the audit log has them. */
export async function suppressedBy(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('suppressions')
    .select(['address_index', 'reason', 'sealed'])
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`encode(address_index, 'hex') || '.' || reason = any(${names}::text[])`)
    .execute();
  return new Map(
    rows.map(({ address_index: index, reason, sealed }) => [
      `${index.toString('hex')}.${reason}`,
      openAddress(keys, { index, reason }, sealed),
    ]),
  );
}
