import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Form } from '../definition/form.ts';
import { type PageRow, type PageSettings, toPageSettings } from '../definition/page-settings.ts';
import '../tables.ts';

/** How a form stands open. */
export async function readPageSettings(tx: Tx, customerId: number, formId: string): Promise<PageSettings> {
  return toPageSettings(await selectPage(tx, customerId, formId).executeTakeFirst());
}

/** The same, with when it was last changed; of a form for which it never was, when that was made. */
export async function readPage(
  tx: Tx,
  form: Pick<Form, 'id' | 'customer_id' | 'created_at'>,
): Promise<{ settings: PageSettings; updatedAt: Date }> {
  const row = await selectPage(tx, form.customer_id, form.id).executeTakeFirst();
  return { settings: toPageSettings(row), updatedAt: row?.updated_at ?? form.created_at };
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

/** Lets a form that was just made stand open as another does. */
export async function copyPageSettings(
  tx: Tx,
  { clock, customerId }: { clock: Clock; customerId: number },
  { from, to }: { from: string; to: string },
): Promise<void> {
  const row = await selectPage(tx, customerId, from).executeTakeFirst();
  if (row === undefined) return;
  await tx
    .insertInto('form_pages')
    .values({ ...row, form_id: to, updated_at: clock.now() })
    .execute();
}

function selectPage(tx: Tx, customerId: number, formId: string) {
  return tx.selectFrom('form_pages').selectAll().where('customer_id', '=', customerId).where('form_id', '=', formId);
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
