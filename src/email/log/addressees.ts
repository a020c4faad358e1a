import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import type { Reason } from '../suppressions/reason.ts';
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

/** What the audit log calls a suppression: the index of its address in hex, and the reason. */
const NAME = /^((?:[0-9a-f]{2})+)\.(\w+)$/;

/** The addresses of suppressions that are still there, by the names under which the audit log has them. */
export async function suppressedBy(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  names: readonly string[],
): Promise<Map<string, string>> {
  const places = names.map((name) => NAME.exec(name)).filter((place) => place !== null);
  const indexes = places.map(([, index]) => index);
  const reasons = places.map(([, , reason]) => reason);
  // Pair by pair, as the key has them, and the limit keeps it from being done otherwise.
  const { rows } = await sql<{ address_index: Buffer; reason: Reason; sealed: Buffer }>`
    select s.address_index, s.reason, s.sealed
    from unnest(${indexes}::text[], ${reasons}::text[]) as named (index, reason)
    cross join lateral (
      select address_index, reason, sealed from suppressions
      where customer_id = ${customerId} and address_index = decode(named.index, 'hex') and reason = named.reason
      limit 1) s`.execute(tx);
  return new Map(
    rows.map(({ address_index: index, reason, sealed }) => [
      `${index.toString('hex')}.${reason}`,
      openAddress(keys, { index, reason }, sealed),
    ]),
  );
}
