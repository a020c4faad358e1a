import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { writeWhole } from '../../platform/durable-files.ts';
import { readCheckpoint } from './checkpoint.ts';
import { fileLines } from './checkpoint-lines.ts';
import { recordAct } from './record.ts';
import { INSTALLATION, type SigningKey } from './signing-key.ts';
import '../tables.ts';

/** The clocks of the product and of the database may differ by so much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

interface Deps {
  db: Database;
  clock: Clock;
  signingKey: SigningKey;
}

const ACT: Act = {
  customerId: INSTALLATION,
  actor: { kind: 'worker', id: 'restore' },
  action: 'audit.rows-lost',
  requestId: null,
};

/**
 * Takes out of the file outside the database what was signed of rows that a restore did not bring back, which would be
 * told of as cut off for ever. The file as it was is kept under another name, and the log says so. What was signed
 * before the moment of the restore stays whatever the database holds: whoever alters that cannot have it forgotten.
 */
export async function setAsideLost(
  { db, clock, signingKey }: Deps,
  { file, aside, restoredTo }: { file: string; aside: string; restoredTo: Date },
): Promise<void> {
  const isLost = async (line: string) => {
    const checkpoint = readCheckpoint(signingKey, line);
    if (checkpoint === null || new Date(checkpoint.at).getTime() <= restoredTo.getTime() - CLOCKS_DIFFER_MS)
      return false;
    return !(await isStored(db, checkpoint.number, line));
  };
  let lines = 0;
  for await (const line of fileLines(file)) if (await isLost(line)) lines += 1;
  if (lines === 0) return;
  await link(file, aside);
  const details = { checkpoints: lines, restored_to: restoredTo.toISOString(), sha256: await hashOf(aside) };
  await db.tenant([INSTALLATION], (tx) => recordAct(tx, clock, ACT, { target: basename(aside), details }));
  await writeWhole(file, without(isLost, file));
}

async function* without(isLost: (line: string) => Promise<boolean>, file: string): AsyncGenerator<Buffer> {
  for await (const line of fileLines(file)) if (!(await isLost(line))) yield Buffer.from(`${line}\n`);
}

async function isStored(db: Database, number: number, line: string): Promise<boolean> {
  const row = await db.untenanted((tx) =>
    tx.selectFrom('audit_checkpoints').select('line').where('number', '=', number).executeTakeFirst(),
  );
  return row?.line === line;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
