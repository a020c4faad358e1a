import type { Installation } from '../../installation.ts';
import { mirrorCustomerKeys } from './customer-keys.ts';
import { clearUnfinished, findLastBackup, type LastBackup } from './last.ts';
import type { SignedManifest } from './manifest.ts';
import { explainRefusal, isLogGone } from './refused.ts';
import { inRun, type Run } from './runs.ts';
import { type Destination, takeFull, takeIncremental } from './take.ts';
import { takeTurns } from './turns.ts';

/** What backups are taken with, while no other process takes any. */
export interface Taking {
  installation: Installation;
  destination: Destination;
  /** Throws where another backup may be running by now. */
  requireAlone(): Promise<void>;
}

/** Adds what is new to a chain. */
export async function prolong({ installation, destination }: Taking, run: Run, last: LastBackup): Promise<LastBackup> {
  await run.requireAlone();
  await clearUnfinished(last);
  const newest = await takeIncremental(installation, destination, run, last);
  return { ...last, manifests: [...last.manifests, newest], newest };
}

/** Copies the customer keys, where they are in a folder, without which a backup does not open. */
export async function mirrorKeys({ installation, destination }: Taking): Promise<void> {
  const { db, config } = installation;
  if (config.keyStoreFolder !== null) await mirrorCustomerKeys(db, config.keyStoreFolder, destination.keysTo);
}

/**
 * Begins a chain with a full backup. As that may take hours, the chain before is gone on with at first and every so often
 * meanwhile: what came since would be in no backup.
 */
export async function replaceChain(
  taking: Taking,
  run: Run,
  chain: LastBackup,
  everyMs: number,
): Promise<{ manifest: SignedManifest; notes: string[] }> {
  const { installation, destination } = taking;
  const before = createTurns(taking, chain, 'the chain before was not gone on with');
  const goesOn = await before.turn();
  const over = new AbortController();
  const turns = goesOn ? takeTurns(everyMs, over.signal, before.turn) : null;
  let manifest: SignedManifest;
  try {
    manifest = await takeFull(installation, destination, run, before.reached());
  } finally {
    over.abort();
    await turns;
  }
  const notes = [...before.notes];
  if (before.reached().newest.restorable_until > manifest.restorable_until) notes.push(...(await catchUp(taking)));
  return { manifest, notes };
}

/** The newest chain is the one to restore from, so that none before it may reach further. */
async function catchUp(taking: Taking): Promise<Set<string>> {
  const { last } = await findLastBackup(taking.installation, taking.destination);
  if (last === null) return new Set(['the new chain cannot be read']);
  const after = createTurns(taking, last, 'the new chain was not gone on with');
  await after.turn();
  return after.notes;
}

/** Goes on with a chain by runs of their own; what fails is noted and keeps nothing else from being done. */
function createTurns(taking: Taking, chain: LastBackup, failed: string) {
  let last = chain;
  const notes = new Set<string>();
  return {
    notes,
    reached: () => last,
    /** Answers whether it is worth while to try again. */
    async turn(): Promise<boolean> {
      try {
        await inRun(taking, 'incremental', async (run) => {
          last = await prolong(taking, run, last);
          await mirrorKeys(taking);
          return { manifest: last.newest };
        });
        return true;
      } catch (error) {
        notes.add(`${failed}: ${(explainRefusal(error) as Error).message}`);
        return !isLogGone(error);
      }
    },
  };
}
