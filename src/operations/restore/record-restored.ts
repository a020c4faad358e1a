import { createRestoreFollower, loadSigningKey, recordRestore, type SetAside } from '../../accounts/index.ts';
import { checkpointFileOf, type Installation } from '../../installation.ts';
import type { Actor } from '../../platform/act.ts';
import { openDatabase } from '../../platform/db/database.ts';

/** Records that the database was put back to a moment, and sets aside what this node has signed of rows that are lost. */
export function recordRestored(installation: Installation, actor: Actor, restoredTo: Date): Promise<SetAside[]> {
  return withAudit(installation, async (deps) => {
    await recordRestore(deps, actor, restoredTo);
    return createRestoreFollower(deps)();
  });
}

/** Sets aside what this node has signed of rows that are lost with restores that were recorded elsewhere. */
export function followRestores(installation: Installation): Promise<SetAside[]> {
  return withAudit(installation, (deps) => createRestoreFollower(deps)());
}

/** What it says to whoever looks after the server. */
export function tellSetAside({ file, checkpoints, restoredTo }: SetAside): string {
  return `the database was restored to ${restoredTo}: ${checkpoints} checkpoints of rows that it lost are set aside in ${file}`;
}

async function withAudit<T>(
  installation: Installation,
  work: (deps: Parameters<typeof recordRestore>[0]) => Promise<T>,
): Promise<T> {
  const sealerDb = openDatabase(installation, 'sealer', 1);
  try {
    const signingKey = await loadSigningKey(installation);
    const { db, clock, config } = installation;
    return await work({ db, sealerDb, clock, signingKey, checkpointFile: checkpointFileOf(config.dataDir) });
  } finally {
    await sealerDb.close();
  }
}
