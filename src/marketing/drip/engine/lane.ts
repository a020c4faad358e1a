import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { listen } from '../../../platform/db/listen.ts';
import { createLane } from '../../../platform/lanes/lane.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { advanceBatch } from './advance.ts';
import { lookAtDates, nextLookAtDates } from './dates.ts';
import { nextDrips } from './due-drips.ts';
import { endDrips } from './ending.ts';
import { dealWithFacts } from './facts.ts';
import { createVersions, type Versions } from './load-version.ts';
import { orNothing, type Witness } from './or-nothing.ts';

/** While one waits for the database, the other keeps it busy. */
const LANES = 2;
/** Nothing is due for longer than this without a look: clocks are put right, and a notification may get lost. */
const LONGEST_IDLE_MS = 30_000;
/** How soon a turn that failed is taken again. */
const RETRY_MS = 1_000;
/** How long a drip that failed is left alone. */
const REST_MS = 60_000;
/** How many batches of one drip go before it is the turn of the next. */
const BATCHES_AT_ONCE = 4;
/** How long people are taken further before it is looked again what has happened. */
const TURN_MS = 2_000;

export interface DripsDeps {
  /** The database as the worker role, and as its owner to listen to. */
  db: Database;
  ownerUrl: string;
  vault: Vault;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Called when mails are waiting to be sent. */
  onMails(): void;
}

export interface Drips {
  /** Says that a drip may have something to do. */
  nudge(): void;
  stop(): Promise<void>;
}

interface Turn {
  done: number;
  /** When there will be more to do. */
  nextAt: Date | null;
}

/** Starts to lead people through drips. */
export function startDrips(deps: DripsDeps): Drips {
  const versions = createVersions();
  const resting = new Map<number, number>();
  let nextAt: Date | null = null;
  const others = Array.from({ length: LANES - 1 }, (_, index) =>
    createLane(
      { name: `drips ${index + 2}`, log: deps.log },
      async () => (await advanceDrips({ ...deps, versions, resting })).done,
      LONGEST_IDLE_MS,
    ),
  );
  // One looks for work; the others are told when there is much of it.
  const first = createLane(
    { name: 'drips 1', log: deps.log },
    async () => {
      nextAt = new Date(deps.clock.now().getTime() + RETRY_MS);
      const turn = await takeTurn({ ...deps, versions, resting }, () => others.forEach((lane) => lane.nudge()));
      ({ nextAt } = turn);
      return turn.done;
    },
    () => idleMs(deps.clock, nextAt),
  );
  const lanes = [first, ...others];
  for (const lane of lanes) lane.start();
  const ear = listen(deps, { role: 'worker', channel: 'carepost_drips' }, () => first.nudge());
  return {
    nudge: () => first.nudge(),
    async stop() {
      await ear.stop();
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** `resting` says until when a drip that failed is left alone, so that it does not hold up the others. */
type TurnDeps = Omit<DripsDeps, 'ownerUrl'> & Witness & { versions: Versions; resting: Map<number, number> };

/** Does everything that there is to do at this moment, or a good part of it. */
export async function takeTurn(given: TurnDeps, tellOthers?: () => void): Promise<Turn> {
  let interruptedAt: Date | null = null;
  const deps = { ...given, onOutage: () => (interruptedAt = given.clock.now()) };
  const facts = await dealWithFacts(deps);
  const ended = await endDrips(deps);
  const dated = await lookAtDates(deps);
  const { done, nextAt } = await advanceDrips(deps, tellOthers);
  const next = earlier(nextAt, await nextLookAtDates(deps));
  return { done: facts + ended + dated + done, nextAt: earlier(interruptedAt, next) };
}

/** Takes everybody further who is due, in batches, each drip in its turn. Whom others hold just now is due all the same. */
async function advanceDrips(deps: TurnDeps, tellOthers?: () => void): Promise<Turn> {
  const now = deps.clock.now();
  const drips = await nextDrips(deps.db, now, stillResting(deps.resting, now));
  const endsAt = performance.now() + TURN_MS;
  let done = 0;
  for (const { dripId, customerId, dueAt } of drips) {
    if (dueAt > now) return { done, nextAt: dueAt };
    for (let batch = 0; batch < BATCHES_AT_ONCE && performance.now() < endsAt; batch += 1) {
      const rest = () => void deps.resting.set(dripId, now.getTime() + REST_MS);
      const people = await orNothing(deps, { dripId }, () => advanceOnce(deps, { customerId, dripId }), rest);
      done += people;
      if (people === 0) break;
      if (batch === 0) tellOthers?.();
    }
  }
  return { done, nextAt: drips.length > 0 ? now : null };
}

async function advanceOnce(deps: TurnDeps, which: { customerId: number; dripId: number }): Promise<number> {
  const keys = await deps.vault.of(which.customerId);
  const { people, mails, lateMs } = await deps.db.tenant([which.customerId], (tx) =>
    advanceBatch(tx, { ...deps, keys }, which),
  );
  if (people > 0) deps.metrics.dripLateness.observe(lateMs / 1_000);
  if (mails > 0) deps.onMails();
  return people;
}

function stillResting(resting: Map<number, number>, now: Date): number[] {
  for (const [dripId, until] of resting) if (until <= now.getTime()) resting.delete(dripId);
  return [...resting.keys()];
}

/** Until there is more to do. What is due already could not be done just now, and is not tried again at once. */
function idleMs(clock: Clock, nextAt: Date | null): number {
  if (nextAt === null) return LONGEST_IDLE_MS;
  const until = nextAt.getTime() - clock.now().getTime();
  return until <= 0 ? RETRY_MS : Math.min(LONGEST_IDLE_MS, until);
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
