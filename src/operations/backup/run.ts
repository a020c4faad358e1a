import type { Installation } from '../../installation.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { openReplication } from '../../platform/db/replication.ts';
import { makeFolder } from '../../platform/durable-files.ts';
import { rewrapChainKeys } from './chain-key.ts';
import { listChains } from './chains.ts';
import { DamagedBackup } from './damaged.ts';
import { identify, readSystemId } from './identify.ts';
import type { SignedManifest } from './manifest.ts';
import { type Plan, planBackup } from './plan.ts';
import { mirrorKeys, prolong, replaceChain, type Taking } from './prolong.ts';
import { pruneChains } from './prune.ts';
import { explainRefusal, isLogGone } from './refused.ts';
import { inRun, newestBackupAt, type Run } from './runs.ts';
import { type Destination, takeFull } from './take.ts';

const DAY_MS = 24 * 3600_000;
/** With what a run takes itself, no more than five minutes are lost. */
const EVERY_MS = 3 * 60_000;

interface Taken {
  manifest: SignedManifest;
  /** Why it is a full backup. */
  reason: string | null;
  /** What did not keep it from being taken and has to be known. */
  notes: string[];
}

export interface BackupReport extends Taken {
  bytes: number;
  pruned: string[];
}

/**
 * Backs the installation up; one at a time. A backup that fails leaves those before it as they were. While a full one is
 * taken, the chain before is gone on with every so often.
 */
export async function runBackup(
  installation: Installation,
  destination: Destination,
  { full, everyMs = EVERY_MS }: { full: boolean; everyMs?: number | undefined },
): Promise<BackupReport> {
  return alone(installation, async (requireAlone) => {
    const { clock, config, masterKeys } = installation;
    const { to, keysTo } = destination;
    const server = await identifyCopied(installation, destination.replicationUrl).catch(refuse);
    if (!full) await requireBackups(installation, to);
    const plan = await planBackup(installation, destination, server, full);
    await makeFolder(to);
    await makeFolder(keysTo);
    const taking = { installation, destination, requireAlone };
    const expired = new Date(clock.now().getTime() - config.retention.backupDays * DAY_MS);
    const prune = () => pruneChains({ to, keysTo, masterKeys }, expired);
    return inRun(taking, plan.reason === null ? 'incremental' : 'full', async (run) => {
      const before = await prune(); // a full disk has room again
      const taken = await take(taking, run, plan, everyMs);
      await mirrorKeys(taking);
      await requireAlone();
      const pruned = [...before, ...(await prune())];
      const damaged = await rewrapChainKeys(keysTo, masterKeys, (await listChains(to)).finished);
      return { ...taken, pruned, notes: [...server.notes, ...taken.notes, ...damaged] };
    }).catch(refuse);
  });
}

function refuse(error: unknown): never {
  throw explainRefusal(error);
}

/**
 * A lock of the database: it is let go when its holder dies, and holds on every node. Where its connection is lost, so is
 * the lock, which the work has to ask before it ends or removes anything.
 */
async function alone<T>(
  { ownerUrl }: Installation,
  work: (requireAlone: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return withConnection(ownerUrl, async (client) => {
    const { rows } = await client.query(`select pg_try_advisory_lock(hashtext('carepost backup')) as mine`);
    if (!rows[0].mine) throw new Error('another backup is running');
    let asked: Promise<unknown> = Promise.resolve();
    return work(async () => {
      asked = asked.then(() => client.query('select 1')); // a connection takes one question at a time
      await asked;
    });
  });
}

async function take(taking: Taking, run: Run, { last, reason, goesOn }: Plan, everyMs: number): Promise<Taken> {
  const takeAnew = () => takeFull(taking.installation, taking.destination, run, last);
  if (last === null || !goesOn) return { manifest: await takeAnew(), reason, notes: [] };
  if (reason !== null) return { ...(await replaceChain(taking, run, last, everyMs)), reason };
  try {
    return { manifest: (await prolong(taking, run, last)).newest, reason, notes: [] };
  } catch (error) {
    const because = whyAnew(error);
    if (because === null) throw error;
    return { manifest: await takeAnew(), reason: because, notes: [] };
  }
}

/** Why a chain that could not be gone on with is followed by another; null where a new one would fail as well. */
function whyAnew(error: unknown): string | null {
  if (isLogGone(error)) return 'the database no longer has the log since the last backup';
  return error instanceof DamagedBackup ? error.message : null;
}

/** The server that is copied, which has to be the one that the installation works on, or follow it. */
async function identifyCopied({ ownerUrl }: Installation, replicationUrl: string) {
  await using connection = await openReplication(replicationUrl);
  const server = await identify(connection);
  const own = await readSystemId(ownerUrl);
  if (own !== null && own !== server.systemId) {
    throw new Error('--replication-url is of another server than the database');
  }
  const notes =
    own === null ? ['the database does not tell which server it is: --replication-url is not compared with it'] : [];
  return { ...server, notes };
}

/** An empty folder where there were backups is more likely a disk that is not mounted than a wish. */
async function requireBackups({ db }: Installation, to: string): Promise<void> {
  if ((await listChains(to)).finished.length > 0 || (await newestBackupAt(db)) === null) return;
  throw new Error('--to holds no backup though there were some: is it mounted? To begin anew there, add --full');
}
