import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createMemory } from './memory.ts';
import { exceptionsOf } from './tls-exceptions.ts';

const KEPT_MS = 5_000;

/** For which recipient domains a customer takes encrypted for enough where nobody can be verified. */
export type EncryptedIsEnough = (customerId: number) => Promise<(domain: string) => boolean>;

/** Builds what asks for it, and remembers the answer for a short while. */
export function createEncryptedIsEnough({ db, clock }: { db: Database; clock: Clock }): EncryptedIsEnough {
  const named = createMemory<number, Set<string>>(clock, KEPT_MS);
  return async (customerId) => {
    const find = () => db.tenant([customerId], (tx) => exceptionsOf(tx, customerId));
    const domains = await named.of(customerId, find);
    return (domain) => domains.has(domain);
  };
}
