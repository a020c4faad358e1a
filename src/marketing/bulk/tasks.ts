import { type Task, takingLong } from '../../platform/jobs/runner.ts';
import { movePeople } from '../drip/campaigns/move-people.ts';
import { type ExportDeps, exportPeople } from '../exports/export-people.ts';
import { EXPORT_READY, type TellDeps, tellExportReady } from '../exports/tell-ready.ts';
import { BULK_TASK, letWork, selectBulkJobs, type WhichJob } from './bulk-job.ts';
import { changeMany } from './change-many.ts';
import '../tables.ts';

/** The side jobs of work on many people: a slice of it, then its turn comes again. */
export function bulkTasks(deps: ExportDeps & TellDeps): Record<string, Task> {
  return {
    ...takingLong({
      [BULK_TASK]: async (payload) => {
        const which = readWhich(payload);
        if (!(await workOn(deps, which))) return;
        await deps.db.tenant([which.customerId], (tx) => letWork(tx, which));
      },
    }),
    [EXPORT_READY]: (payload) => tellExportReady(deps, readWhich(payload)),
  };
}

async function workOn(deps: ExportDeps, which: WhichJob): Promise<boolean> {
  const job = await deps.db.tenant([which.customerId], (tx) =>
    selectBulkJobs(tx, which.customerId).where('id', '=', which.jobId).executeTakeFirst(),
  );
  if (job === undefined) return false;
  if (job.kind === 'move') return movePeople(deps, which);
  if (job.kind !== 'export') return changeMany(deps, which);
  await exportPeople(deps, which);
  return false;
}

function readWhich({ customerId, jobId }: Record<string, unknown>): WhichJob {
  return { customerId: Number(customerId), jobId: String(jobId) };
}
