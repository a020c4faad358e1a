import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { readDueMail, readParkedMail } from './waiting-mail.ts';

const MOST_COUNTED = 50_000;
const MOST_NAMED = 20;
/** A domain is named where so many wait for it: a small one may be a person's own. */
const FEWEST_NAMED = 10;
const OTHERS = 'other';

/** Mail that waits for one domain, or for all those that are not named. */
export interface Destination {
  destination: string;
  waiting: number;
  /** How long the oldest has been on its way: since it was first tried, or since it could have been. */
  oldestSeconds: number;
}

interface Deps {
  /** The database as the worker sees it: the queue of all customers, without content. */
  workerDb: Database;
  clock: Clock;
}

/** The destinations for which mail waits longest, and all others as one. What waits for its own time is left out. */
export async function readDestinations(
  { workerDb, clock }: Deps,
  mostCounted: number = MOST_COUNTED,
): Promise<Destination[]> {
  const now = clock.now();
  const mail = [
    ...(await readDueMail(workerDb, now, mostCounted)),
    ...(await readParkedMail(workerDb, now, mostCounted)),
  ];
  const byDomain = Map.groupBy(mail, ({ domain }) => domain);
  return nameSome(
    [...byDomain].map(([destination, parts]) => ({
      destination,
      waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestSeconds: Math.max(0, ...parts.map(({ since }) => (now.getTime() - since.getTime()) / 1000)),
    })),
  );
}

function nameSome(all: Destination[]): Destination[] {
  const longest = all
    .filter(({ waiting }) => waiting >= FEWEST_NAMED)
    .toSorted((one, other) => other.oldestSeconds - one.oldestSeconds)
    .slice(0, MOST_NAMED);
  const named = new Set(longest);
  const others = all.filter((each) => !named.has(each));
  const waiting = others.reduce((sum, each) => sum + each.waiting, 0);
  const oldestSeconds = Math.max(0, ...others.map((each) => each.oldestSeconds));
  return [...longest, { destination: OTHERS, waiting, oldestSeconds }];
}
