import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isDatabaseAway } from './failure.ts';

const PAUSE_MS = 500;
/** An hour: whoever forgets what a server has answered sends to it again. A stop waits for as long as a stop waits. */
const TRIES = 7_200;

/** Writes what must not be lost because the database is away for a while: what a server has answered, say. */
export async function despiteOutage<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseAway(error) || attempt === TRIES) throw error;
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
}

/** Fails while the database is away. */
export async function reachDatabase(db: Database): Promise<void> {
  await db.untenanted((tx) => sql`select`.execute(tx));
}
