import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { WarmUp } from '../domains/warm-up.ts';
import { domainOf } from '../submission/address.ts';
import { releaseLeases } from './held-leases.ts';
import type { Lease } from './lease.ts';
import type { StoredMessage } from './load.ts';

const DAY_MS = 24 * 3600_000;

interface Pair {
  message: StoredMessage;
  leases: Lease[];
}

/** Parts messages that may be sent now from those that wait, and answers the former. */
export type PutOff = (pairs: Pair[]) => Promise<Pair[]>;

/** Builds what puts off mail of domains that have sent today what receivers will take from a new name. */
export function createPutOff(deps: { db: Database; clock: Clock; warmUp: WarmUp; random(): number }): PutOff {
  return async (pairs) => {
    const byDomain = Map.groupBy(pairs, ({ message }) => `${message.customer_id}/${domainOf(message.from_address)}`);
    const ready: Pair[] = [];
    for (const [, own] of [...byDomain].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const isCounted = ({ message, leases }: Pair) => message.mode === 'live' && leases.some(isFirst);
      ready.push(...own.filter((pair) => !isCounted(pair)));
      ready.push(...(await admit(deps, own.filter(isCounted))));
    }
    return ready;
  };
}

/** What was tried before has been counted. */
function isFirst({ attempts }: Lease): boolean {
  return attempts === 1;
}

async function admit(
  { db, clock, warmUp, random }: Parameters<typeof createPutOff>[0],
  pairs: Pair[],
): Promise<Pair[]> {
  const [first] = pairs;
  if (first === undefined) return [];
  const { customer_id: customerId, from_address: from } = first.message;
  const room = await db.tenant([customerId], (tx) => warmUp.room(tx, customerId, domainOf(from), pairs.length));
  const tomorrow = (Math.floor(clock.now().getTime() / DAY_MS) + 1) * DAY_MS;
  for (const { leases } of pairs.slice(room)) {
    await releaseLeases({ db }, leases, new Date(tomorrow + random() * DAY_MS));
  }
  return pairs.slice(0, room);
}
