import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { writeWhole } from '../../platform/durable-files.ts';
import { readCheckpoint } from './checkpoint.ts';
import { fileLines } from './checkpoint-lines.ts';
import { recordAct } from './record.ts';
import { type Restore, readRestores } from './restores.ts';
import { INSTALLATION, type SigningKey } from './signing-key.ts';
import { awaitTurn } from './turn.ts';
import '../tables.ts';

/** The clocks of the product and of the database may differ by so much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;
const BEGINNING = /^\{"number":(\d+),"at":"([^"]+)"/;

interface Deps {
  db: Database;
  /** The database as the sealer role. */
  sealerDb: Database;
  clock: Clock;
  signingKey: SigningKey;
  checkpointFile: string;
}

type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** What was taken out of the file outside the database, and where the file as it was is kept. */
export interface SetAside {
  file: string;
  checkpoints: number;
  restoredTo: string;
}

const ACT: Act = {
  customerId: INSTALLATION,
  actor: { kind: 'worker', id: 'restore' },
  action: 'audit.rows-lost',
  requestId: null,
};

/**
 * Looks for restores that the database has a signed record of, each once, and takes out of the file outside it what was
 * signed of rows that did not come back, which would be told of as cut off for ever. The file as it was is kept under
 * another name, and the log says so. What was signed before the moment of a restore, or after it was recorded, stays
 * whatever the database holds: whoever alters that cannot have it forgotten.
 */
export function createRestoreFollower(deps: Deps): () => Promise<SetAside[]> {
  const followed = new Set<string>();
  return async () => {
    const { restores } = await readRestores(deps.sealerDb, deps.signingKey);
    const found: SetAside[] = [];
    for (const restore of restores.filter(({ id }) => !followed.has(id))) {
      const aside = await setAsideLost(deps, restore);
      if (aside !== null) found.push(aside);
      followed.add(restore.id);
    }
    return found;
  };
}

async function setAsideLost(deps: Deps, restore: Restore): Promise<SetAside | null> {
  const { db, sealerDb, clock, checkpointFile } = deps;
  const unlocked: InTransaction = (work) => sealerDb.untenanted(work);
  if ((await findLost(unlocked, deps, restore)).size === 0) return null;
  return sealerDb.untenanted(async (tx) => {
    await awaitTurn(tx); // or else another process of this machine could add a line meanwhile
    const lost = await findLost((work) => work(tx), deps, restore);
    if (lost.size === 0) return null;
    const moment = clock.now().toISOString().replace(/\W/g, '');
    const aside = join(dirname(checkpointFile), `checkpoints-before-restore-${moment}.log`);
    await link(checkpointFile, aside);
    const details = {
      checkpoints: lost.size,
      restored_to: restore.restoredTo,
      sha256: await hashOf(aside),
      host: hostname(),
    };
    await db.tenant([INSTALLATION], (own) => recordAct(own, clock, ACT, { target: basename(aside), details }));
    await writeWhole(checkpointFile, without(lost, checkpointFile));
    return { file: aside, checkpoints: lost.size, restoredTo: restore.restoredTo };
  });
}

/** What was signed from shortly before the moment of the restore until it was recorded, and is not in the database. */
async function findLost(
  inTransaction: InTransaction,
  { signingKey, checkpointFile }: Deps,
  { restoredTo, recordedAt }: Restore,
): Promise<Set<string>> {
  const [from, to] = [new Date(restoredTo).getTime() - CLOCKS_DIFFER_MS, new Date(recordedAt).getTime()];
  const lost = new Set<string>();
  for await (const line of fileLines(checkpointFile)) {
    const [, number, at = ''] = BEGINNING.exec(line) ?? [];
    const moment = new Date(at).getTime();
    if (!(moment > from && moment < to) || (await inTransaction((tx) => isStored(tx, Number(number), line)))) continue;
    if (readCheckpoint(signingKey, line) !== null) lost.add(hashOfLine(line));
  }
  return lost;
}

async function* without(lost: Set<string>, file: string): AsyncGenerator<Buffer> {
  for await (const line of fileLines(file)) if (!lost.has(hashOfLine(line))) yield Buffer.from(`${line}\n`);
}

async function isStored(tx: Tx, number: number, line: string): Promise<boolean> {
  const query = tx.selectFrom('audit_checkpoints').select('line').where('number', '=', number);
  return (await query.executeTakeFirst())?.line === line;
}

function hashOfLine(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
