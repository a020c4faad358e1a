import { sql } from 'kysely';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { knownByNumber } from './known-by-number.ts';
import type { NewSubscriber } from './read-subscriber.ts';
import { refusedAt } from './refused-at.ts';
import { saveSubscriber } from './upsert.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
}

/** Adds many people or updates those who are there, all or none, and answers how many are new. */
export async function upsertSubscribers(
  tx: Tx,
  deps: Deps,
  wanted: readonly NewSubscriber[],
  listId: number | null,
): Promise<number> {
  const people = await knownByNumber(tx, deps.act.customerId, wanted);
  const known = await findKnown(tx, deps.act.customerId, people);
  const saved = new Set<string>();
  // In one order everywhere: two requests with the same people must not wait for each other.
  for (const [index, person] of [...people.entries()].toSorted(([, one], [, other]) =>
    compare(keyOf(one), keyOf(other)),
  )) {
    const { id } = await saveSubscriber(tx, deps, person, listId).catch(refusedAt(`subscribers[${index}]`));
    saved.add(id);
  }
  return saved.difference(known).size;
}

async function findKnown(tx: Tx, customerId: number, people: readonly NewSubscriber[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from find_people(${customerId}, ${people.map((_, index) => index)}::int[],
    ${people.map(({ email }) => email ?? null)}::text[], ${people.map(({ phoneNumber }) => phoneNumber ?? null)}::text[])`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

function keyOf({ email, phoneNumber }: NewSubscriber): string {
  return email?.toLowerCase() ?? phoneNumber ?? '';
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
