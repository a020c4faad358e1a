import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSigningKey } from '../../accounts/index.ts';
import type { Installation } from '../../installation.ts';
import { fingerprint } from './chain-key.ts';
import { chainBegan } from './chains.ts';
import { readFlushed } from './identify.ts';
import { findLastBackup, type LastBackup } from './last.ts';
import { readLsn } from './lsn.ts';
import { hasMark } from './runs.ts';

const DAY_MS = 24 * 3600_000;
/** A full backup is taken so often that most of what is kept can be restored to any moment. */
const FULLS_KEPT = 5;

/** What the next backup is to be. */
export interface Plan {
  /** The newest chain that can be opened. */
  last: LastBackup | null;
  /** Why it is a full one; null where it adds to the chain. */
  reason: string | null;
  /** Whether the chain can be gone on with, also where a new one is to begin. */
  goesOn: boolean;
}

/** Decides whether the chain is gone on with or a new one begins. */
export async function planBackup(
  installation: Installation,
  folders: { to: string; keysTo: string },
  server: { systemId: string; timeline: number },
  asked: boolean,
): Promise<Plan> {
  const found = await findLastBackup(installation, folders);
  if (found.last === null) return { last: null, reason: found.because, goesOn: false };
  const { last } = found;
  const broken = await whyBroken(installation, server, last);
  return { last, reason: broken ?? whyDue(installation, last, asked), goesOn: broken === null };
}

/** Why the chain cannot be gone on with. */
async function whyBroken(
  installation: Installation,
  server: { systemId: string; timeline: number },
  last: LastBackup,
): Promise<string | null> {
  const { newest } = last;
  if (server.systemId !== newest.server.system_id) {
    const { publicKey } = await loadSigningKey(installation);
    if (fingerprint(publicKey) !== last.signer) throw new Error('--to holds backups of another database');
    return 'the database was moved';
  }
  if (server.timeline !== newest.wal.timeline) return 'the database has begun a new timeline';
  const flushed = await readFlushed(installation.ownerUrl);
  const isBehind = flushed < readLsn(newest.wal.to);
  if (isBehind || !(await hasMark(installation.db, newest.run))) return 'the database was put back';
  if (!(await isWhole(last))) return 'a file of the last one is missing';
  return null;
}

/** Why a new chain should begin, though the last one could be gone on with. */
function whyDue({ clock, config }: Installation, { place }: LastBackup, asked: boolean): string | null {
  if (asked) return 'it was asked for';
  const everyMs = (config.retention.backupDays * DAY_MS) / FULLS_KEPT;
  const isOld = clock.now().getTime() - chainBegan(place.chain).getTime() >= everyMs;
  return isOld ? 'the last one is old enough' : null;
}

/** Whether every file of the chain is there in its size: prolonging a broken chain would save nothing. */
async function isWhole({ place, manifests }: LastBackup): Promise<boolean> {
  for (const { name, size } of manifests.flatMap(({ files }) => files)) {
    const path = join(place.folder, name);
    if (!existsSync(path) || (await stat(path)).size !== size) return false;
  }
  return true;
}
