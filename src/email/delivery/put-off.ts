import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createMemory } from '../domains/memory.ts';
import type { WarmUp } from '../domains/warm-up.ts';
import { domainOf } from '../submission/address.ts';
import { releaseLeases } from './held-leases.ts';
import type { Lease } from './lease.ts';
import type { StoredMessage } from './load.ts';

const DAY_MS = 24 * 3600_000;
const KEPT_MS = 60_000;

interface Pair {
  message: StoredMessage;
  leases: Lease[];
}

interface Deps {
  db: Database;
  clock: Clock;
  warmUp: WarmUp;
  random(): number;
}

/** Parts messages that may be sent now from those that wait, and answers the former. */
export type PutOff = (pairs: Pair[]) => Promise<Pair[]>;

/** Builds what puts off mail of domains that have sent today what receivers will take from a new name. */
export function createPutOff(deps: Deps): PutOff {
  // Most domains have long been known to receivers, and are not looked at for each message.
  const isOver = createMemory<string, boolean>(deps.clock, KEPT_MS);
  return async (pairs) => {
    const byDomain = Map.groupBy(pairs, ({ message }) => `${message.customer_id}/${domainOf(message.from_address)}`);
    const ready: Pair[] = [];
    for (const [name, own] of [...byDomain].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const isCounted = ({ message, leases }: Pair) => message.mode === 'live' && leases.some(isFirst);
      const counted = own.filter(isCounted);
      ready.push(...own.filter((pair) => !isCounted(pair)));
      const over = counted.length === 0 || (await isOver.of(name, () => askIsOver(deps, counted[0] as Pair)));
      ready.push(...(over ? counted : await admit(deps, counted)));
    }
    return ready;
  };
}

/** What was tried before has been counted. */
function isFirst({ attempts }: Lease): boolean {
  return attempts === 1;
}

function askIsOver({ db, warmUp }: Deps, { message }: Pair): Promise<boolean> {
  const { customer_id: customerId, from_address: from } = message;
  return db.tenant([customerId], (tx) => warmUp.isOver(tx, customerId, domainOf(from)));
}

async function admit({ db, clock, warmUp, random }: Deps, pairs: Pair[]): Promise<Pair[]> {
  const { customer_id: customerId, from_address: from } = (pairs[0] as Pair).message;
  const room = await db.tenant([customerId], (tx) => warmUp.room(tx, customerId, domainOf(from), pairs.length));
  const tomorrow = (Math.floor(clock.now().getTime() / DAY_MS) + 1) * DAY_MS;
  for (const { leases } of pairs.slice(room)) {
    await releaseLeases({ db }, leases, new Date(tomorrow + random() * DAY_MS));
  }
  return pairs.slice(0, room);
}
