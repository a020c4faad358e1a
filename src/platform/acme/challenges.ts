import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import './tables.ts';

const HOUR_MS = 3_600_000;

/** What the authority will ask for, as all nodes know it. */
export interface Challenges {
  publish(token: string, answer: string): Promise<void>;
  find(token: string): Promise<string | undefined>;
}

export function createChallenges({ db, clock }: { db: Database; clock: Clock }): Challenges {
  let running: Promise<Map<string, string>> = Promise.resolve(new Map());
  let next: Promise<Map<string, string>> | undefined;

  const load = () =>
    db.untenanted(async (tx) => {
      const rows = await tx
        .selectFrom('acme_challenges')
        .select(['token', 'answer'])
        .where('expires_at', '>', clock.now())
        .execute();
      return new Map(rows.map(({ token, answer }) => [token, answer]));
    });

  /** One query at a time, begun after whoever waits for it: strangers who ask a lot take one connection at most. */
  function known(): Promise<Map<string, string>> {
    next ??= running.then(() => {
      next = undefined;
      running = load().catch(() => new Map());
      return running;
    });
    return next;
  }

  return {
    publish: (token, answer) =>
      db.untenanted(async (tx) => {
        await tx.deleteFrom('acme_challenges').where('expires_at', '<=', clock.now()).execute();
        const row = { token, answer, expires_at: new Date(clock.now().getTime() + HOUR_MS) };
        await tx
          .insertInto('acme_challenges')
          .values(row)
          .onConflict((conflict) => conflict.column('token').doUpdateSet(row))
          .execute();
      }),
    find: async (token) => (await known()).get(token),
  };
}
