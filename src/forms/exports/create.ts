import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { ExportFormat, WhichExport } from './export-job.ts';
import '../tables.ts';

/** The side job that makes the files of exports. */
export const EXPORT_TASK = 'forms.export';

/** How many exports of a customer are under way at a time. */
const MOST_UNFINISHED = 3;

/** Writes down an export of what a form has got so far, and lets it begin; answers its id. */
export async function createExport(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { formId, format }: { formId: string; format: ExportFormat },
): Promise<string> {
  const { customerId, actor } = act;
  await requireRoom(tx, customerId);
  const now = clock.now();
  const id = timeOrderedId(clock);
  await tx
    .insertInto('form_export_jobs')
    .values({
      id,
      customer_id: customerId,
      form_id: formId,
      format,
      state: 'waiting',
      blob_id: null,
      file_name: null,
      gone_because: null,
      created_by_kind: actor.kind,
      created_by: actor.id,
      created_at: now,
      updated_at: now,
      finished_at: null,
    })
    .execute();
  await letExport(tx, { customerId, jobId: id });
  await recordAct(tx, clock, act, { target: id, details: { form: formId, format } });
  return id;
}

/** Lets the side jobs work on an export. */
export function letExport(tx: Tx, { customerId, jobId }: WhichExport): Promise<void> {
  return enqueueJob(tx, EXPORT_TASK, { customerId, jobId }, `form-export/${jobId}`);
}

async function requireRoom(tx: Tx, customerId: number): Promise<void> {
  // One who asks waits for another, so that both count the same.
  await tx.selectFrom('customers').select('id').where('id', '=', customerId).forNoKeyUpdate().execute();
  const { unfinished } = await tx
    .selectFrom('form_export_jobs')
    .select((eb) => eb.fn.countAll<number>().as('unfinished'))
    .where('customer_id', '=', customerId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  if (unfinished < MOST_UNFINISHED) return;
  throw new AppError('conflict', `${MOST_UNFINISHED} exports are under way: wait for one of them, or cancel it`);
}
