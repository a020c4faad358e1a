import { type Task, takingLong } from '../../platform/jobs/runner.ts';
import { createFindVersion } from '../definition/compiled-versions.ts';
import { EXPORT_TASK, letExport } from './create.ts';
import { type MakeDeps, makeFile } from './make-file.ts';

/** The side jobs of the Forms area. */
export function createFormTasks(given: Omit<MakeDeps, 'findVersion'>): Record<string, Task> {
  const deps = { ...given, findVersion: createFindVersion(given.db) };
  return takingLong({
    [EXPORT_TASK]: async ({ customerId, jobId }) => {
      const which = { customerId: Number(customerId), jobId: String(jobId) };
      if (!(await makeFile(deps, which))) return;
      await deps.db.tenant([which.customerId], (tx) => letExport(tx, which));
    },
  });
}
