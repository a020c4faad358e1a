import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type PageRow, type PageSettings, toPageSettings } from '../definition/page-settings.ts';
import '../tables.ts';

/** How a form stands open. */
export async function readPageSettings(tx: Tx, customerId: number, formId: string): Promise<PageSettings> {
  const row = await tx
    .selectFrom('form_pages')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('form_id', '=', formId)
    .executeTakeFirst();
  return toPageSettings(row);
}

/** Changes how a form stands open; the log names what was changed and no values. */
export async function changePageSettings(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  formId: string,
  { closes_at: closesAt, ...change }: Partial<PageRow>,
): Promise<void> {
  const moment = closesAt === undefined ? {} : { closes_at: closesAt === null ? null : new Date(closesAt) };
  const set = { ...change, ...moment, updated_at: clock.now() };
  await tx
    .insertInto('form_pages')
    .values({ ...BLANK, ...set, form_id: formId, customer_id: act.customerId })
    .onConflict((conflict) =>
      conflict.column('form_id').doUpdateSet(set).where('form_pages.customer_id', '=', act.customerId),
    )
    .execute();
  const changed = [...Object.keys(change), ...Object.keys(moment)].map((name) => name.replace('_hash', ''));
  await recordAct(tx, clock, act, { target: formId, details: { changed } });
}

const BLANK = {
  closes_at: null,
  most_submissions: null,
  password_hash: null,
  single_use: false,
  frame_origins: [],
  resumable: false,
  proof_of_work: 'off' as const,
  traps: 'monitor' as const,
  sealed_to: [],
};
