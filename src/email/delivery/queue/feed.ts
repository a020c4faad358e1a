import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { type Lease, leaseParked, type Taken } from './lease.ts';

const LOOK_MS = 5_000;
/** More of them would be composed in one go, and everybody else's mail would wait for that. */
const MOST_AT_ONCE = 4;
const MOST_DOMAINS = 10_000;

/** What is known of the servers of domains. */
export interface Fullness {
  /** How much of the mail for one domain may be under way: its names may be as slow as its servers. */
  mostOfADomain: number;
  /** The domains whose servers have all they can take. */
  full(): string[];
  /** Whether the servers of a domain could do with more. */
  hasRoomFor(domain: string): boolean;
}

/** Nobody is ever full where everything goes to one server. */
export const NEVER_FULL: Fullness = { mostOfADomain: Infinity, full: () => [], hasRoomFor: () => true };

/** Mail that stands aside because its servers have all they can take, and how it gets to them. */
export interface Feed {
  /** Takes some of what stands aside for servers that have room again. */
  next(): Promise<Lease[]>;
  /** Says that something was put aside just now. */
  parked(): void;
  /** Whether servers have room for what stands aside. */
  isWanted(): boolean;
}

/** Builds the feed. Any node feeds what any node has put aside, the domain that has waited longest first. */
export function createFeed({ db, clock }: { db: Database; clock: Clock }, hasRoomFor: Fullness['hasRoomFor']): Feed {
  /** The customer to go on after, by domain, in the order in which the domains were fed. */
  let aside = new Map<string, number>();
  let lookAt = 0;

  async function look(): Promise<void> {
    const now = clock.now().getTime();
    if (now < lookAt) return;
    lookAt = now + LOOK_MS;
    const found = new Set(await parkedDomains(db));
    const known = [...aside].filter(([domain]) => found.has(domain));
    const fresh = [...found].flatMap((domain): [string, number][] => (aside.has(domain) ? [] : [[domain, 0]]));
    aside = new Map([...fresh, ...known]);
  }

  /** Goes on where the last turn ended, and behind the last customer begins anew. */
  async function takeOf(domain: string, after: number): Promise<Taken> {
    const wanted = { domain, most: MOST_AT_ONCE };
    const taken = await leaseParked({ db, clock }, { ...wanted, after });
    const isBehindTheLast = after !== 0 && taken.leases.length === 0 && taken.next === 0;
    return isBehindTheLast ? leaseParked({ db, clock }, { ...wanted, after: 0 }) : taken;
  }

  return {
    async next() {
      await look();
      for (const [domain, after] of Array.from(aside)) {
        if (!hasRoomFor(domain)) continue;
        const { leases, next } = await takeOf(domain, after);
        aside.delete(domain);
        if (leases.length > 0 || next !== 0) aside.set(domain, next);
        if (leases.length > 0) return leases;
      }
      return [];
    },
    parked() {
      lookAt = 0;
    },
    isWanted: () => aside.keys().some(hasRoomFor),
  };
}

/** The domains of which something stands aside, found one by one in the index. */
async function parkedDomains(db: Database): Promise<string[]> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ domain: string }>`
      with recursive found (domain) as (
        (select domain from message_recipients where parked order by domain limit 1)
        union all
        select (select r.domain from message_recipients r where r.parked and r.domain > f.domain order by r.domain limit 1)
        from found f where f.domain is not null
      ) select domain from found where domain is not null limit ${MOST_DOMAINS}`.execute(tx),
  );
  return rows.map(({ domain }) => domain);
}
