import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { domainOf } from '../submission/address.ts';
import { suffixesOf } from './domain-name.ts';
import { holdersOf } from './holders.ts';
import { createMemory } from './memory.ts';
import { returnPathName } from './records.ts';
import '../tables.ts';

const KEPT_MS = 60_000;

/** The domain of return paths for the mail of a customer from a domain. */
export type ReturnPathDomainOf = (customerId: number, fromDomain: string) => Promise<string>;

interface Deps {
  db: Database;
  clock: Clock;
  systemFrom: string;
  returnPathDomain: string | null;
}

/** Builds what finds return paths: under the domain itself where its record was seen, so that SPF is aligned. */
export function createReturnPaths(deps: Deps): ReturnPathDomainOf {
  const paths = createMemory<string, string>(deps.clock, KEPT_MS);
  return (customerId, fromDomain) =>
    paths.of(`${customerId}/${fromDomain}`, async () => {
      const own = await ownPath(deps, customerId, fromDomain);
      return own ?? deps.returnPathDomain ?? fromDomain;
    });
}

async function ownPath({ db, systemFrom }: Deps, customerId: number, fromDomain: string): Promise<string | null> {
  const holders = holdersOf(domainOf(systemFrom), customerId, fromDomain);
  const rows = await db.tenant(holders, (tx) =>
    tx
      .selectFrom('sending_domains')
      .select('domain')
      .where('customer_id', 'in', holders)
      .where('domain', 'in', suffixesOf(fromDomain))
      .where('return_path', '=', true)
      .execute(),
  );
  const [longest] = rows.toSorted((a, b) => b.domain.length - a.domain.length);
  return longest === undefined ? null : returnPathName(longest.domain);
}
