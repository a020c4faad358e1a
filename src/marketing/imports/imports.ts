import { recordAct, requireOnlyPeopleHeld } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { type StoredBlob, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, missingField } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import type { Page } from '../read-page.ts';
import { type Import, type ImportSettings, selectImports } from './import.ts';
import type { Wanted } from './settings.ts';

interface Deps {
  clock: Clock;
  act: Act;
}

/** Writes down an import of a file that is in the store; somebody still has to work on it. */
export async function createImport(tx: Tx, { clock, act }: Deps, wanted: Wanted, blob: StoredBlob): Promise<Import> {
  const { listId, dryRun, ...asked } = wanted;
  const { customerId } = act;
  const now = clock.now();
  const id = timeOrderedId(clock);
  const settings: ImportSettings = { ...asked, form: null };
  if (listId !== null) await requireList(tx, customerId, listId);
  await writeBlobRow(tx, clock, blob);
  await tx
    .insertInto('imports')
    .values({
      id,
      customer_id: customerId,
      state: 'waiting',
      dry_run: dryRun,
      blob_id: blob.id,
      settings: JSON.stringify(settings),
      subscription_list_id: listId,
      bytes: blob.size,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await recordAct(tx, clock, act, { target: id, details: { dry_run: dryRun, bytes: blob.size } });
  return readImport(tx, customerId, id);
}

async function requireList(tx: Tx, customerId: number, listId: number): Promise<void> {
  const found = await tx
    .selectFrom('subscription_lists')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', listId)
    .executeTakeFirst();
  if (found === undefined) throw missingField('subscription_list_id', 'no such list');
}

/** A page of the imports of a customer, the newest first, and how many there are in all. */
export async function listImports(
  tx: Tx,
  customerId: number,
  { page, items }: Page,
): Promise<{ imports: Import[]; total: number }> {
  const imports = await selectImports(tx, customerId)
    .orderBy('id', 'desc')
    .limit(items)
    .offset((page - 1) * items)
    .execute();
  const { total } = await tx
    .selectFrom('imports')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { imports, total };
}

/** An import of the customer. */
export async function readImport(tx: Tx, customerId: number, id: string): Promise<Import> {
  const found = await selectImports(tx, customerId).where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw importNotFound();
  return found;
}

/** Turns a finished dry run into the import of the same file. */
export async function startImport(tx: Tx, { clock, act }: Deps, id: string): Promise<Import> {
  const { customerId } = act;
  const started = await tx
    .updateTable('imports')
    .set({
      state: 'waiting',
      dry_run: false,
      bytes_done: 0,
      lines_done: 0,
      rows_done: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      opted_out: 0,
      attempts: 0,
      started_at: null,
      finished_at: null,
      updated_at: clock.now(),
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where('dry_run', '=', true)
    .where('blob_id', 'is not', null)
    .executeTakeFirst();
  if (started.numUpdatedRows === 0n) {
    await readImport(tx, customerId, id);
    throw new AppError('conflict', 'Only a dry run that is done and whose file is kept can be started');
  }
  await tx.deleteFrom('import_rejects').where('customer_id', '=', customerId).where('import_id', '=', id).execute();
  await recordAct(tx, clock, act, { target: id });
  return readImport(tx, customerId, id);
}

/** Begins to take an import back, unless something but people is held; somebody still has to work on it. */
export async function beginUndo(tx: Tx, { clock, act }: Deps, id: string): Promise<Import> {
  const { customerId } = act;
  await requireOnlyPeopleHeld(tx, customerId);
  const begun = await tx
    .updateTable('imports')
    .set({
      state: 'undoing',
      undo_step: 'subscriptions',
      undo_place: null,
      held: [],
      attempts: 0,
      updated_at: clock.now(),
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('state', 'in', ['done', 'failed'])
    .where('dry_run', '=', false)
    .where('started_at', 'is not', null)
    .executeTakeFirst();
  if (begun.numUpdatedRows === 0n) {
    await readImport(tx, customerId, id);
    throw new AppError('conflict', 'Only an import that has ended can be undone, and only once');
  }
  await recordAct(tx, clock, act, { target: id });
  return readImport(tx, customerId, id);
}

/** What whoever asks for an import that is not there hears. */
export function importNotFound(): AppError {
  return new AppError('not_found', 'No such import', { fields: { id: ['no such import'] } });
}
