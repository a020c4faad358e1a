import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** For how many days a form's submissions are kept; null for ever. */
export async function readRetention(tx: Tx, customerId: number, formId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('forms')
    .select('retention_days')
    .where('customer_id', '=', customerId)
    .where('id', '=', formId)
    .executeTakeFirstOrThrow();
  return row.retention_days;
}

/** Sets for how long submissions are kept, those that are there already included. */
export async function setRetention(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  formId: string,
  days: number | null,
): Promise<void> {
  await tx
    .updateTable('forms')
    .set({ retention_days: days })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', formId)
    .execute();
  await recordAct(tx, clock, act, { target: formId, details: days === null ? {} : { days } });
}

/** For how long submissions of a new form are kept, as the customer has chosen; null is for good. */
export async function defaultRetention(tx: Tx, customerId: number): Promise<number | null> {
  const { form_retention_days: days } = await tx
    .selectFrom('customers')
    .select('form_retention_days')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return days;
}
