import { recordAct, requireNothingHeld } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { findExport, type WhichExport } from './export-job.ts';
import { letGo } from './release.ts';
import '../tables.ts';

/**
 * Cancels an export that is under way, or deletes its file, unless something is held; answers the files that have to leave
 * the store.
 */
export async function endExport(
  tx: Tx,
  { clock, act, requireOwn }: { clock: Clock; act: Act; requireOwn: OwnershipCheck },
  wanted: string,
): Promise<string[]> {
  const { customerId } = act;
  const { id, form_id: formId } = await findExport(tx, requireOwn, customerId, wanted);
  const now = clock.now();
  const cancelled = await tx
    .updateTable('form_export_jobs')
    .set({ state: 'cancelled', updated_at: now, finished_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .returning('id')
    .execute();
  const files = cancelled.length > 0 ? [] : await deleteFile(tx, clock, { customerId, jobId: id });
  await recordAct(tx, clock, act, { target: id, details: { form: formId } });
  return files;
}

async function deleteFile(tx: Tx, clock: Clock, which: WhichExport): Promise<string[]> {
  const withFile = await tx
    .selectFrom('form_export_jobs')
    .select('id')
    .where('customer_id', '=', which.customerId)
    .where('id', '=', which.jobId)
    .where('state', '=', 'done')
    .executeTakeFirst();
  if (withFile === undefined) return [];
  await requireNothingHeld(tx, which.customerId);
  return letGo(tx, clock, which, 'deleted');
}
