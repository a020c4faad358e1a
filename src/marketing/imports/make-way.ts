import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/ids.ts';

/** Who comes after a longer silence may find a chunk under way, and waits for that one alone. */
const LATELY_MS = 2_000;

interface Deps {
  db: Database;
  clock: Clock;
  wait?: ((ms: number) => Promise<unknown>) | undefined;
}

/** While messages or submissions come in, whoever's they are, rests after a chunk for as long as it took. */
export async function makeWay({ db, clock, wait = sleep }: Deps, customerId: number, tookMs: number): Promise<void> {
  const since = firstIdAt(new Date(clock.now().getTime() - LATELY_MS));
  const isBusy = await db.tenant([customerId], async (tx) => {
    const { rows } = await sql<{ busy: boolean }>`select has_arrivals(${since}) as busy`.execute(tx);
    return rows[0]?.busy === true;
  });
  if (isBusy) await wait(tookMs);
}
