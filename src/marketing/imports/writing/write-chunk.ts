import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { Chunk } from '../chunk.ts';
import { gather } from '../gather.ts';
import { countPeople } from './count-people.ts';
import { knownByNumber } from './known-by-number.ts';
import type { Running } from './running.ts';
import { KEEP_REJECTS, NOTE_PROGRESS, TAKE } from './statements.ts';
import { writePeople } from './write-people.ts';

const MOST_REJECTS = 100_000;

interface Deps {
  db: Database;
  clock: Clock;
  keys: CustomerVault;
}

/**
 * Writes a chunk and how far the import has come in one transaction, or counts what it would do. False where the
 * import has been taken further or ended by somebody else meanwhile.
 */
export async function writeChunk({ db, clock, keys }: Deps, run: Running, chunk: Chunk): Promise<boolean> {
  const { customerId, id } = run;
  return db.raw([customerId], async (client) => {
    const taken = await client.query(TAKE, [customerId, id, run.bytesDone]);
    if (taken.rowCount === 0) return false;
    const { people, again } = gather(await knownByNumber(client, run, chunk.taken));
    const treat = run.dryRun ? countPeople : writePeople;
    const { created, changed, optedOut } = await treat({ client, clock, keys }, run, people);
    if (chunk.rejects.length > 0) {
      await client.query(KEEP_REJECTS, [customerId, id, JSON.stringify(chunk.rejects), MOST_REJECTS]);
    }
    await client.query(NOTE_PROGRESS, [
      customerId,
      id,
      chunk.bytesDone,
      chunk.linesDone,
      chunk.rows,
      created,
      changed + again.updated,
      people.length - created - changed + again.unchanged,
      chunk.rejects.length,
      optedOut,
      clock.now(),
    ]);
    return true;
  });
}
