import type { Database } from '../../../platform/db/database.ts';
import { isDamaged } from '../../../platform/db/failure.ts';
import type { Log } from '../../../platform/log.ts';
import { readStored, type StoredMessage } from '../writing/load.ts';
import type { Lease } from './lease.ts';
import type { Settlement } from './settle.ts';

interface Deps {
  /** The database as the worker role. */
  db: Database;
  log: Log;
}

/** A message and those of its recipients that are leased. */
export interface Pair {
  message: StoredMessage;
  leases: Lease[];
}

/** Reads the messages of leases, and answers beside them the leases of those that are not to be had. */
export async function readLeases({ db, log }: Deps, leases: Lease[]): Promise<{ pairs: Pair[]; unreadable: Lease[] }> {
  const byMessage = Map.groupBy(leases, (lease) => lease.message_id);
  const wanted = [...byMessage].map(([id, [first]]) => ({ id, customerId: (first as Lease).customer_id }));
  const damage = new Map<string, unknown>();
  const stored = await readWhatCanBe(db, wanted, (id, error) => damage.set(id, error));
  const pairs = stored.map((message) => ({ message, leases: byMessage.get(message.id) as Lease[] }));
  for (const { id } of stored) byMessage.delete(id);
  for (const id of byMessage.keys()) log.error({ messageId: id, err: damage.get(id) }, 'a message cannot be read');
  return { pairs, unreadable: [...byMessage.values()].flat() };
}

/** Reads all at once; where damage to some keeps the others from being read, by halves until those stand alone. */
async function readWhatCanBe(
  db: Database,
  wanted: { id: string; customerId: number }[],
  onDamage: (id: string, error: unknown) => void,
): Promise<StoredMessage[]> {
  try {
    return await readStored(db, wanted);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const half = Math.floor(wanted.length / 2);
    if (half > 0) {
      const first = await readWhatCanBe(db, wanted.slice(0, half), onDamage);
      return [...first, ...(await readWhatCanBe(db, wanted.slice(half), onDamage))];
    }
    for (const { id } of wanted) onDamage(id, error);
    return [];
  }
}

/** What comes of a recipient whose message is not to be had: like a server that is away, it is tried for days. */
export function unreadableNow(lease: Lease): Settlement {
  const outcome = { result: 'deferred', code: null, reply: 'The message cannot be read at the moment' } as const;
  return { lease, outcome, address: null, met: null, notice: false };
}
