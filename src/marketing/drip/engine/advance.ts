import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { Drip } from '../campaigns/drip.ts';
import { afterPauses } from '../timing/pauses.ts';
import { claimDue, holdRunning } from './claim.ts';
import { whoLeaves } from './leaving.ts';
import type { Versions } from './load-version.ts';
import type { Leaving, Traveller, Walker } from './traveller.ts';
import { type Standing, type Walk, walk } from './walk.ts';
import { withdrawMails } from './withdraw-mails.ts';
import { writeWalk } from './write-walk.ts';

export interface AdvanceDeps {
  keys: CustomerVault;
  clock: Clock;
  versions: Versions;
}

/** How many people were taken on, how late the first of them was, and how many mails are meant. */
export interface Advanced {
  people: number;
  lateMs: number;
  mails: number;
}

/**
 * Takes the people of a drip who are due as far as they get, in the transaction that also holds them and writes down
 * each mail that they are meant to get: either all of it has happened or nothing.
 */
export async function advanceBatch(
  tx: Tx,
  deps: AdvanceDeps,
  which: { customerId: number; dripId: number },
): Promise<Advanced> {
  const drip = await holdRunning(tx, which);
  const people = drip === null ? [] : await claimDue(tx, deps.clock, drip);
  const [first] = people;
  if (drip === null || first === undefined) return { people: 0, lateMs: 0, mails: 0 };
  const now = deps.clock.now();
  const leaving = await whoLeaves(tx, { keys: deps.keys, at: now }, drip, people);
  let mails = 0;
  for (const [version, together] of Map.groupBy(people, (person) => person.version)) {
    const loaded = await deps.versions.of(tx, which, version);
    const { standings, walkers } = setOut(drip, now, leaving, together);
    const walked = await walk({ ...deps, tx, drip, version: loaded }, walkers);
    mails += await writeWalk(tx, deps.clock, drip, loaded, {
      ...walked,
      standings: [...standings, ...walked.standings],
    });
  }
  for (const [reason, left] of Map.groupBy(leaving, ([, why]) => why)) {
    await withdrawMails(tx, { customerId: which.customerId, ids: left.map(([id]) => id), reason, at: now });
  }
  return { people: people.length, lateMs: now.getTime() - first.due_at.getTime(), mails };
}

/** Who goes on now, and where the others stand: they leave, or wait for longer as the drip was paused. */
function setOut(
  drip: Drip,
  now: Date,
  leaving: ReadonlyMap<string, Leaving>,
  people: Traveller[],
): Pick<Walk, 'standings'> & { walkers: Walker[] } {
  const standings: Standing[] = [];
  const walkers: Walker[] = [];
  for (const person of people) {
    const { step, inside, woken } = person;
    const here = { person, step, pauses: drip.pauses.length };
    const reason = leaving.get(person.id);
    const { dueAt, skipUntil } = afterPauses(drip.pauses, { dueAt: person.due_at, seen: person.pauses, woken });
    if (reason !== undefined) standings.push({ ...here, state: 'exited', reason, inside: false, dueAt: null });
    else if (dueAt > now) standings.push({ ...here, state: 'active', reason: null, inside, dueAt });
    else walkers.push({ person, step, inside, woken, at: skipUntil === null ? now : dueAt, skipUntil });
  }
  return { standings, walkers };
}
