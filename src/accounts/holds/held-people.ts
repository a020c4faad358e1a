import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { heldRefusal, selectStanding, shareHolds } from './held.ts';
import { openHold } from './hold.ts';
import '../tables.ts';

/** Throws where a legal hold keeps anything but a person: for what is done to people one by one and passes over those. */
export async function requireOnlyPeopleHeld(tx: Tx, customerId: number): Promise<void> {
  await shareHolds(tx, customerId);
  if (await hasHoldsBeyondPeople(tx, customerId)) throw heldRefusal();
}

/** Whether a legal hold keeps anything but a person. */
export async function hasHoldsBeyondPeople(tx: Tx, customerId: number): Promise<boolean> {
  const standing = await selectStanding(tx, customerId).where('kind', '<>', 'person').limit(1).executeTakeFirst();
  return standing !== undefined;
}

/** Throws where a legal hold keeps the person with this index: for a change that would take them out of it. */
export async function requireNoHoldOn(tx: Tx, customerId: number, index: Buffer): Promise<void> {
  await shareHolds(tx, customerId);
  const standing = await selectStanding(tx, customerId)
    .where('kind', '=', 'person')
    .where(sql<boolean>`${index}::bytea = any(person_indexes)`)
    .limit(1)
    .executeTakeFirst();
  if (standing !== undefined) throw heldRefusal();
}

/** The addresses of people whom legal holds keep. */
export async function heldAddresses(tx: Tx, keys: CustomerVault, customerId: number): Promise<string[]> {
  const standing = await selectStanding(tx, customerId).where('kind', '=', 'person').select('sealed').execute();
  return standing.flatMap(({ id, sealed }) => openHold(keys, id, sealed).email ?? []);
}
