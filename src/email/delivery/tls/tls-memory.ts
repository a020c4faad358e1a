import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createExpiringMap } from '../../../platform/expiring-map.ts';

/** Remembers which domains have shown verified TLS, so that taking it away from them does not go unnoticed. */
export interface TlsMemory {
  /** A connection to a mail server of the domain was verified. */
  remember(domain: string): Promise<void>;
  /** Whether nothing less will do for the domain. Throws where the database cannot be read: then nothing may go. */
  demandsVerified(domain: string): Promise<boolean>;
}

const HOLDS_MS = 30 * 24 * 3600 * 1000;
const WRITTEN_AGAIN_MS = 3600 * 1000;
const READ_AGAIN_MS = 60 * 1000;
const MOST_KEPT = 10_000;

/** Makes the memory; it is the same for all processes, but one may be a minute behind. */
export function createTlsMemory({ db, clock }: { db: Database; clock: Clock }): TlsMemory {
  const read = createExpiringMap<boolean>(clock, MOST_KEPT);
  const written = createExpiringMap<true>(clock, MOST_KEPT);
  return {
    async remember(domain) {
      if (written.get(domain)) return;
      const row = { domain, level: 'verified', seen_at: clock.now() } as const;
      await db.untenanted((tx) =>
        tx
          .insertInto('tls_memory')
          .values(row)
          .onConflict((conflict) => conflict.column('domain').doUpdateSet({ level: row.level, seen_at: row.seen_at }))
          .execute(),
      );
      written.set(domain, true, WRITTEN_AGAIN_MS);
      read.set(domain, true, READ_AGAIN_MS);
    },
    async demandsVerified(domain) {
      const known = read.get(domain);
      if (known !== undefined) return known;
      const since = new Date(clock.now().getTime() - HOLDS_MS);
      const row = await db.untenanted((tx) =>
        tx
          .selectFrom('tls_memory')
          .select('domain')
          .where('domain', '=', domain)
          .where('seen_at', '>', since)
          .executeTakeFirst(),
      );
      read.set(domain, row !== undefined, READ_AGAIN_MS);
      return row !== undefined;
    },
  };
}
