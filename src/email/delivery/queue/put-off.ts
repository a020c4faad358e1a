import type { Database } from '../../../platform/db/database.ts';
import type { WarmUp } from '../../domains/warm-up.ts';
import { domainOf } from '../../submission/address.ts';
import { releaseLeases } from './held-leases.ts';
import type { Lease } from './lease.ts';
import type { Pair } from './read-leases.ts';

interface Deps {
  db: Database;
  warmUp: WarmUp;
}

/** Parts messages that may be sent now from those that wait, and answers the former. */
export type PutOff = (pairs: Pair[]) => Promise<Pair[]>;

/** Builds what puts off mail of domains that have sent today what receivers will take from a new name. */
export function createPutOff(deps: Deps): PutOff {
  return async (pairs) => {
    const byDomain = Map.groupBy(pairs, ({ message }) => `${message.customer_id}/${domainOf(message.from_address)}`);
    const ready: Pair[] = [];
    for (const [, own] of [...byDomain].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const isCounted = ({ message, leases }: Pair) => message.mode === 'live' && leases.some(isFirst);
      const counted = own.filter(isCounted);
      ready.push(...own.filter((pair) => !isCounted(pair)));
      const over = counted.length === 0 || (await isOver(deps, counted[0] as Pair));
      ready.push(...(over ? counted : await admit(deps, counted)));
    }
    return ready;
  };
}

/** What was tried before has been counted. */
function isFirst({ attempts }: Lease): boolean {
  return attempts === 1;
}

function isOver({ warmUp }: Deps, { message }: Pair): Promise<boolean> {
  return warmUp.isOver(message.customer_id, domainOf(message.from_address));
}

async function admit({ db, warmUp }: Deps, pairs: Pair[]): Promise<Pair[]> {
  const { customer_id: customerId, from_address: from } = (pairs[0] as Pair).message;
  const room = await db.tenant([customerId], (tx) => warmUp.room(tx, customerId, domainOf(from), pairs.length));
  for (const { leases } of pairs.slice(room)) {
    await releaseLeases({ db }, leases, warmUp.tomorrow());
  }
  return pairs.slice(0, room);
}
