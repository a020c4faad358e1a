import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { isDatabaseAway, isPassingConflict } from '../../../platform/db/failure.ts';
import type { CustomerVault, Vault } from '../../../platform/vault/vault.ts';
import { selectDrips } from '../campaigns/drip.ts';
import { holdTogether } from '../campaigns/hold.ts';
import { enrol } from './enrol.ts';
import type { Versions } from './load-version.ts';
import { orNothing, type Witness } from './or-nothing.ts';
import { holdActive, react } from './react.ts';
import { peopleSuppressed } from './suppressed-people.ts';
import '../../tables.ts';

const BATCH = 1_000;

/** Something that happened to somebody. */
export interface Fact {
  id: number;
  drip_id: number | null;
  kind: string;
  subject: string;
  subscriber_id: string;
  occasion: string | null;
  at: Date;
}

export interface FactDeps {
  keys: CustomerVault;
  clock: Clock;
  versions: Versions;
}

interface Deps extends Witness {
  db: Database;
  vault: Vault;
  clock: Clock;
  versions: Versions;
}

/** Deals with what has happened, whoever's drips it concerns; answers how much that was. */
export async function dealWithFacts(deps: Deps): Promise<number> {
  let done = 0;
  for (const customerId of await customersWithFacts(deps.db)) {
    done += await orNothing(deps, { customerId }, () => dealWithSome(deps, customerId));
  }
  return done;
}

/** Deals with a batch of a customer's facts. Where one of it fails, with the first alone, lest the others wait for it. */
async function dealWithSome(deps: Deps, customerId: number): Promise<number> {
  const keys = await deps.vault.of(customerId);
  const deal = (most: number) =>
    deps.db.tenant([customerId], (tx) => dealWithFactsOf(tx, { ...deps, keys }, customerId, most));
  try {
    return await deal(BATCH);
  } catch (error) {
    if (passes(error)) throw error;
  }
  try {
    return await deal(1);
  } catch (error) {
    if (passes(error)) throw error;
    deps.log.error({ err: error, customerId }, 'a fact cannot be dealt with and is set aside');
    await setFirstAside(deps.db, customerId);
    return 1;
  }
}

function passes(error: unknown): boolean {
  return isPassingConflict(error) || isDatabaseAway(error);
}

/** Whoever has facts that wait, by one look at the index for each. */
async function customersWithFacts(db: Database): Promise<number[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ customer_id: number }>`
      with recursive found (customer_id) as (
        (select customer_id from drip_facts where not set_aside order by customer_id limit 1)
        union all
        select (select f.customer_id from drip_facts f where not f.set_aside and f.customer_id > found.customer_id
          order by f.customer_id limit 1) from found where found.customer_id is not null
      )
      select customer_id from found where customer_id is not null`.execute(tx),
  );
  return rows.map(({ customer_id: id }) => id);
}

/** Leaves the first fact of a customer for somebody to look at, as it cannot be dealt with. */
async function setFirstAside(db: Database, customerId: number): Promise<void> {
  await db.tenant([customerId], (tx) =>
    sql`update drip_facts set set_aside = true where id = (select id from drip_facts
      where customer_id = ${customerId} and not set_aside order by id limit 1)`.execute(tx),
  );
}

/** Deals with the next facts of one customer, in their order, in the transaction that takes them away. */
async function dealWithFactsOf(tx: Tx, deps: FactDeps, customerId: number, most: number): Promise<number> {
  const { rows: locks } = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('carepost drip facts'), ${customerId}) as ours`.execute(tx);
  if (locks[0]?.ours !== true) return 0;
  const { rows: taken } = await sql<Omit<Fact, 'subscriber_id'> & { subscriber_id: string | null }>`
    with gone as (
      delete from drip_facts where id in (
        select id from drip_facts where customer_id = ${customerId} and not set_aside order by id limit ${most})
      returning id, drip_id, kind, subject, subscriber_id, occasion::text, at)
    select * from gone order by id`.execute(tx);
  const facts: Fact[] = [];
  for (const { subscriber_id: person, ...fact } of taken) {
    const people = person === null ? await peopleSuppressed(tx, deps.keys, customerId, fact.subject) : [person];
    facts.push(...people.map((id) => ({ ...fact, subscriber_id: id })));
  }
  // Held all at once and in one order, before anything is written that others may wait for.
  await holdTogether(
    tx,
    facts.flatMap(({ drip_id: id }) => id ?? []),
  );
  await holdActive(tx, customerId, facts);
  for (const round of inRounds(facts)) {
    for (const together of Map.groupBy(
      round,
      ({ drip_id, kind, subject }) => `${drip_id}/${kind}/${subject}`,
    ).values()) {
      await dealWith(tx, deps, customerId, together);
    }
  }
  return taken.length;
}

/** Facts in groups in which nobody occurs twice, so that each group can be dealt with together. */
function inRounds(facts: Fact[]): Fact[][] {
  const rounds: Fact[][] = [];
  const seen = new Map<string, number>();
  for (const fact of facts) {
    const round = seen.get(fact.subscriber_id) ?? 0;
    seen.set(fact.subscriber_id, round + 1);
    (rounds[round] ??= []).push(fact);
  }
  return rounds;
}

async function dealWith(tx: Tx, deps: FactDeps, customerId: number, facts: Fact[]): Promise<void> {
  const [{ drip_id: dripId, kind, subject }] = facts as [Fact];
  if (kind !== 'enter' || dripId === null) return react(tx, deps, { customerId, kind, subject }, facts);
  const drip = await selectDrips(tx)
    .where('customer_id', '=', customerId)
    .where('id', '=', dripId)
    .where('state', 'in', ['running', 'paused'])
    .executeTakeFirst();
  if (drip === undefined) return;
  const entries = facts.map(({ subscriber_id: subscriberId, at, occasion }) => ({ subscriberId, at, occasion }));
  await enrol(tx, deps, drip, entries);
}
