import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { type Task, takingLong } from '../../platform/jobs/runner.ts';
import { IMPORT_TASK, jobKeyOf, selectImports } from './import.ts';
import { releaseFile } from './release-file.ts';
import type { RunDeps } from './run.ts';
import type { Which } from './which.ts';
import { workOnImport } from './work-on.ts';

const STALLED_MS = 10_000;
/** Half an hour: an import may have to wait for its turn behind others. */
const MOST_ATTEMPTS = 200;

/** Up to here the work is over in a moment; above, those who are served would wait for it. */
const LARGEST_HERE = 256 * 1024;

export interface TasksDeps extends RunDeps {
  /** Works on an import in another process. */
  workOnImportApart(which: Which): Promise<boolean>;
}

/** The side job of imports: a slice of work, then its turn comes again. */
export function importTasks({ workOnImportApart, ...deps }: TasksDeps): Record<string, Task> {
  return takingLong({
    [IMPORT_TASK]: async ({ customerId, importId }) => {
      const which = { customerId: Number(customerId), importId: String(importId) };
      const isLarge = (await sizeOf(deps.db, which)) > LARGEST_HERE;
      if (!(await (isLarge ? workOnImportApart(which) : workOnImport(deps, which)))) return;
      await deps.db.tenant([which.customerId], (tx) => enqueueJob(tx, IMPORT_TASK, which, jobKeyOf(which.importId)));
    },
  });
}

async function sizeOf(db: Database, { customerId, importId }: Which): Promise<number> {
  const found = await db.tenant([customerId], (tx) =>
    selectImports(tx, customerId).where('id', '=', importId).executeTakeFirst(),
  );
  return found?.bytes ?? 0;
}

/**
 * Takes up imports that nobody has worked on for a while, as their process died. Two that work on one do no harm, since
 * a chunk is written only where the last one ended. One that never comes further is given up.
 */
export async function resumeImports({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - STALLED_MS);
  const { rows } = await db.untenanted((tx) =>
    sql<{ customer_id: number; id: string }>`select * from find_stalled_imports(${before})`.execute(tx),
  );
  for (const { customer_id: customerId, id: importId } of rows) {
    await db.tenant([customerId], async (tx) => {
      const { rows: taken } = await sql<{ state: string }>`
        update imports set attempts = attempts + 1, updated_at = ${clock.now()},
          finished_at = case when attempts >= ${MOST_ATTEMPTS} and state <> 'undoing' then ${clock.now()} else finished_at end,
          state = case when attempts >= ${MOST_ATTEMPTS} then 'failed' else state end,
          failure = case when attempts >= ${MOST_ATTEMPTS} then 'The import was given up, as it came no further' end
        where customer_id = ${customerId} and id = ${importId} and updated_at < ${before}
        returning state`.execute(tx);
      if (taken[0]?.state === 'failed') await releaseFile(tx, customerId, importId);
      else if (taken[0] !== undefined) {
        await enqueueJob(tx, IMPORT_TASK, { customerId, importId }, jobKeyOf(importId));
      }
    });
  }
}
