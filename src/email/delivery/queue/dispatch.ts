import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { reachDatabase } from '../../../platform/db/despite-outage.ts';
import { isDatabaseAway } from '../../../platform/db/failure.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { EncryptedIsEnough } from '../../domains/encrypted-is-enough.ts';
import { deliverMessage } from '../deliver-message.ts';
import type { Courier } from '../dialogue/courier.ts';
import type { StoredMessage } from '../writing/load.ts';
import type { Prepared } from '../writing/prepare.ts';
import { createFeed, type Fullness } from './feed.ts';
import { Gathering } from './gathering.ts';
import { releaseLeases, renewLeases } from './held-leases.ts';
import { type Lease, leaseDue } from './lease.ts';
import { LeaseSet } from './lease-set.ts';
import type { PutOff } from './put-off.ts';
import { type Pair, readLeases, unreadableNow } from './read-leases.ts';
import type { Settlement } from './settle.ts';

const BATCH = 64;
/** With so many under way nobody is idle. */
const MANY = BATCH / 4;
/** So many reads at once leave connections to others. */
const MOST_READING = 4;
/** What could not be read is not asked for again at once. */
const TRY_AGAIN_MS = 1_000;
/** Whoever could not write what a server has answered tries again twice in this time. */
const LAST_WORD_MS = 1_500;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'leasesExpired'>;
  prepare(stored: StoredMessage): Promise<Prepared>;
  /** Whether a message is one that its recipient has asked for. */
  isAskedFor(stored: StoredMessage): Promise<boolean>;
  /** What carries a message, by how it was sent: what a test key sends never leaves the house. */
  courierFor(mode: StoredMessage['mode']): Courier;
  /** How many recipients may be under way at once. */
  mostUnderWay: number;
  putOff: PutOff;
  encryptedIsEnough: EncryptedIsEnough;
  fullness: Fullness;
  /** Writes what came of leases, together with what else is being written. */
  settle(settlements: Settlement[]): Promise<void>;
  /** Told whether servers have room for mail that stands aside. */
  onSettled(hasRoom: boolean): void;
}

/** Takes what is due and sends it on its way. */
export interface Dispatch {
  /** Takes as much as there is room for, and answers how much that was; it does not wait for what it began. */
  turn(): Promise<number>;
  /** Whether more may be due than the last turn has taken. */
  hasMore(): boolean;
  /** Says that mail was accepted just now. */
  accepted(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Takes nothing any more. */
  halt(): void;
  /** Keeps what is under way from falling due. */
  renew(): Promise<void>;
}

/** Builds what lets messages go their ways side by side: one slow server holds up nothing but its own mail. */
export function createDispatch(deps: Deps): Dispatch {
  const underWay = new Set<Promise<void>>();
  const held = new LeaseSet();
  const { fullness } = deps;
  const isLittle = (domain: string) => held.of(domain) < fullness.mostOfADomain / 2;
  const feed = createFeed(deps, (domain) => isLittle(domain) && fullness.hasRoomFor(domain));
  let after = 0;
  let hasMore = false;
  let reading = 0;
  let failure: Error | null = null;
  let wasAway = false;
  const gathering = new Gathering();
  const halted = new AbortController();
  let freed = Promise.withResolvers<void>();

  function free(): void {
    freed.resolve();
    freed = Promise.withResolvers();
  }

  function begin(work: Promise<void>): void {
    const whole: Promise<void> = work
      .catch((error: unknown) => deps.log.error({ err: error }, 'delivery failed'))
      .finally(() => {
        underWay.delete(whole);
        free();
        deps.onSettled(feed.isWanted());
      });
    underWay.add(whole);
  }

  async function takeDue(): Promise<{ handled: number; isMore: boolean }> {
    const full = [...new Set([...fullness.full(), ...held.domainsWith(fullness.mostOfADomain)])];
    const { leases, parked, next, more, expired } = await leaseDue(deps, { most: BATCH, full, after });
    if (leases.length > 0) begin(send(leases));
    deps.metrics.leasesExpired.inc(expired);
    // Who began in the middle has not looked at those before.
    const areOthers = next !== 0 || after !== 0;
    after = next;
    if (parked > 0) feed.parked();
    return { handled: leases.length + parked + Number(areOthers), isMore: more || areOthers || parked > 0 };
  }

  /** What stands aside has half of the room at most, so that nothing new waits behind it. */
  async function takeAside(): Promise<number> {
    if (held.size >= deps.mostUnderWay / 2) return 0;
    const leases = await feed.next();
    if (leases.length > 0) begin(send(leases));
    return leases.length;
  }

  /** Sends leases on their way; whatever keeps them from it, they are given back. */
  async function send(leases: Lease[]): Promise<void> {
    held.add(leases);
    try {
      const { ready, unreadable } = await readReady(leases);
      const going = new Set([...unreadable, ...ready.flatMap((pair) => pair.leases)]);
      held.remove(leases.filter((lease) => !going.has(lease)));
      for (const { message, leases: own } of ready) begin(deliver(message, own));
      if (unreadable.length > 0) begin(tryLater(unreadable));
    } catch (error) {
      failure = new Error('mail could not be read', { cause: error });
      await releaseLeases(deps, leases, new Date(deps.clock.now().getTime() + TRY_AGAIN_MS)).finally(() =>
        held.remove(leases),
      );
    }
  }

  /** The messages of leases, but for those that are put off. */
  async function readReady(leases: Lease[]): Promise<{ ready: Pair[]; unreadable: Lease[] }> {
    reading += 1;
    try {
      const { pairs, unreadable } = await readLeases(deps, leases);
      return { ready: await deps.putOff(pairs), unreadable };
    } finally {
      reading -= 1;
      free();
    }
  }

  function hasRoom(): boolean {
    return held.size <= deps.mostUnderWay - BATCH && reading < MOST_READING;
  }

  /** What kept mail from its way is told by the next turn, so that whoever drives them takes a rest. */
  function tellFailure(): void {
    const told = failure;
    failure = null;
    if (told !== null) throw told;
  }

  /**
   * While the database was away, leases may have ended of mail that was answered for, here or on another node. What was
   * answered is written first: taken before that, it would be sent again.
   */
  async function letOthersSettle(): Promise<void> {
    await reachDatabase(deps.db);
    await renewLeases(deps, held.all());
    wasAway = false;
    await sleep(LAST_WORD_MS, undefined, { signal: halted.signal }).catch(() => {});
  }

  async function take(): Promise<number> {
    if (wasAway) await letOthersSettle();
    if (halted.signal.aborted) return 0;
    // Side by side: mail that has just come does not wait for what stands aside, nor for what was found before it.
    const [due, aside] = await Promise.allSettled([takeDue(), takeAside()]);
    if (due.status === 'rejected') throw due.reason;
    if (aside.status === 'rejected') throw aside.reason;
    hasMore = due.value.isMore || aside.value > 0;
    return due.value.handled + aside.value;
  }

  async function deliver(message: StoredMessage, leases: Lease[]): Promise<void> {
    try {
      await deliverMessage({ ...deps, onDone: (done) => held.remove(done) }, message, leases);
    } finally {
      held.remove(leases);
    }
  }

  async function tryLater(unreadable: Lease[]): Promise<void> {
    try {
      await deps.settle(unreadable.map(unreadableNow));
    } finally {
      held.remove(unreadable);
    }
  }

  return {
    async turn() {
      while (!hasRoom() && !halted.signal.aborted) await freed.promise;
      tellFailure();
      if (!halted.signal.aborted) await gathering.untilNext({ isBusy: held.size >= MANY });
      return await take().catch((error: unknown) => {
        wasAway ||= isDatabaseAway(error);
        throw error;
      });
    },
    hasMore: () => hasMore,
    accepted: () => gathering.came(),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    halt() {
      halted.abort();
      gathering.end();
      free();
    },
    renew: () => renewLeases(deps, held.all()),
  };
}
