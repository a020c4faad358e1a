import type { Clock } from '../../../platform/clock.ts';
import { copyInto } from '../../../platform/db/copy.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { PoolClient } from '../../../platform/db/pool.ts';
import { timeOrderedId } from '../../../platform/ids.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { sealFields } from '../../fields/sealed-fields.ts';
import type { Chunk } from '../chunk.ts';
import type { ImportRow } from '../row.ts';
import { sealAnew } from './seal-anew.ts';
import {
  CHANGE_PEOPLE,
  COUNT_DIFFERING,
  COUNT_ROWS,
  FIND_PEOPLE,
  HOLD_KNOWN,
  JOIN_LISTS,
  KEEP_REJECTS,
  MAKE_PEOPLE,
  NOTE_PROGRESS,
  OPT_OUT,
  STAGE,
  STAGED,
  TAKE,
  TELL_DRIPS,
} from './statements.ts';
import { optedOutAmong, suppressLeavers } from './suppressed.ts';

const MOST_REJECTS = 100_000;

/** An import under way. */
export interface Running {
  customerId: number;
  id: string;
  dryRun: boolean;
  startDrips: boolean;
  startedAt: Date;
  /** The lists that people join. */
  lists: number[];
  bytesDone: number;
}

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
  const { customerId, id, startedAt, lists } = run;
  if (!run.dryRun) await suppressLeavers({ db, clock, keys }, customerId, chunk.people);
  return db.raw([customerId], async (client) => {
    const taken = await client.query(TAKE, [customerId, id, run.bytesDone]);
    if (taken.rowCount === 0) return false;
    const { people } = chunk;
    await stage(client, { clock, keys, run }, people);
    if (!run.dryRun) await client.query(MAKE_PEOPLE, [customerId, id, startedAt]);
    await client.query(FIND_PEOPLE, [customerId]);
    if (!run.dryRun) await optOut(client, run, people, clock.now());
    await sealAnew(client, keys, customerId, people);
    const now = clock.now();
    const { rows: differing } = await client.query(COUNT_DIFFERING, [customerId]);
    const { changed } = differing[0] as { changed: number };
    if (changed > 0 && !run.dryRun) await client.query(CHANGE_PEOPLE, [customerId, id, startedAt, now]);
    if (!run.dryRun) await client.query(JOIN_LISTS, [customerId, lists, id, now]);
    if (!run.dryRun && run.startDrips) await client.query(TELL_DRIPS, [customerId, now]);
    const { rows: counted } = await client.query(COUNT_ROWS, [customerId, lists]);
    const { created, opted_out: optedOut } = counted[0] as { created: number; opted_out: number };
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
      changed + chunk.again.updated,
      people.length - created - changed + chunk.again.unchanged,
      chunk.rejects.length,
      optedOut,
      now,
    ]);
    return true;
  });
}

/** Those who are known already; whoever the import made has been out from the first. */
async function optOut(client: PoolClient, run: Running, people: readonly ImportRow[], now: Date): Promise<void> {
  const numbers = [...people.entries()].flatMap(([number, { optedOut }]) => (optedOut ? [number] : []));
  if (numbers.length === 0) return;
  await client.query(HOLD_KNOWN, [run.customerId]);
  await client.query(OPT_OUT, [run.customerId, numbers, run.id, now]);
}

async function stage(
  client: PoolClient,
  { clock, keys, run }: { clock: Clock; keys: CustomerVault; run: Running },
  people: readonly ImportRow[],
): Promise<void> {
  const optedOut = await optedOutAmong(client, keys, run.customerId, people);
  await client.query(STAGE);
  await copyInto(client, 'import_rows', STAGED, stagedRows());

  function* stagedRows() {
    for (const [number, row] of people.entries()) {
      const id = timeOrderedId(clock);
      yield [
        String(number),
        id,
        timeOrderedId(clock),
        run.lists.length > 1 ? timeOrderedId(clock) : null,
        row.email,
        row.phoneNumber,
        row.firstName,
        row.lastName,
        row.timeZone,
        JSON.stringify(row.fields),
        optedOut.has(row) || row.optedOut ? 't' : 'f',
        Object.keys(row.phi).length === 0 ? null : `\\x${sealFields(keys, id, row.phi).toString('hex')}`,
      ];
    }
  }
}
