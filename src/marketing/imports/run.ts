import { recordAct } from '../../accounts/index.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { addConsentText } from '../consent/consent-text.ts';
import type { FieldType } from '../fields/field-type.ts';
import { fieldTypesNamed, listFieldTypes, requireRoom } from '../fields/field-types.ts';
import { defaultListId, findDefaultList } from '../lists/default-list.ts';
import { createCheckRow } from './check-row.ts';
import { inChunks } from './chunk.ts';
import { type FileForm, type Import, selectImports } from './import.ts';
import { lookAtFile } from './look-at-file.ts';
import { makeWay } from './make-way.ts';
import { readRecords } from './reading/read-records.ts';
import { releaseFile } from './release-file.ts';
import type { Which } from './which.ts';
import type { Running } from './writing/running.ts';
import { forgetTold } from './writing/told.ts';
import { writeChunk } from './writing/write-chunk.ts';

export interface RunDeps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  /** What a test may watch. */
  wait?: (ms: number) => Promise<unknown>;
}

/** Short enough for a server that is asked to stop, and for the other jobs that wait. */
const SLICE_MS = 3_000;

/** Works on an import for a few seconds, from where it stands. Answers whether there is more to do. */
export async function runImport(deps: RunDeps, which: Which): Promise<boolean> {
  const { db, clock } = deps;
  const { customerId, importId } = which;
  const found = await db.tenant([customerId], (tx) => find(tx, which));
  if (found === undefined) return false;
  try {
    if (found.state === 'waiting') await look(deps, which, found);
    return await work(deps, which);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The notes of a dry run go before anything says that it has ended; an import keeps what it changed, for its undo.
    if (found.dry_run) await forgetTold(db, { customerId, id: importId }, Number.POSITIVE_INFINITY);
    await db.tenant([customerId], async (tx) => {
      const now = clock.now();
      await tx
        .updateTable('imports')
        .set({ state: 'failed', failure: error.message, finished_at: now, updated_at: now })
        .where('customer_id', '=', customerId)
        .where('id', '=', importId)
        .where('state', 'in', ['waiting', 'running'])
        .execute();
      await releaseFile(tx, customerId, importId);
    });
    return false;
  }
}

function find(tx: Tx, { customerId, importId }: Which): Promise<Import | undefined> {
  return selectImports(tx, customerId)
    .where('id', '=', importId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
}

/** Looks at the file and writes down how it is read, so that whoever goes on reads it the same way. */
async function look({ db, blobs, clock }: RunDeps, which: Which, found: Import): Promise<void> {
  const { customerId, importId } = which;
  const { blob_id, settings } = found;
  const { form, bytesDone, linesDone } = await lookAtFile(settings, blobs.read(customerId, blob_id as string));
  const now = clock.now();
  await db.tenant([customerId], async (tx) => {
    const begun = await tx
      .updateTable('imports')
      .set({
        state: 'running',
        settings: JSON.stringify({ ...settings, form }),
        bytes_done: bytesDone,
        lines_done: linesDone,
        started_at: now,
        updated_at: now,
      })
      .where('customer_id', '=', customerId)
      .where('id', '=', importId)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (begun.numUpdatedRows > 0n && !found.dry_run) await keepWords(tx, clock, which, settings.consentText);
  });
}

/** Keeps what the people of a file agreed to, as evidence that outlives the import. */
async function keepWords(tx: Tx, clock: Clock, { customerId, importId }: Which, words: string | null): Promise<void> {
  if (words === null) return;
  const consent_text_id = await addConsentText(tx, clock, { customerId, listId: null }, words);
  await tx
    .updateTable('imports')
    .set({ consent_text_id })
    .where('customer_id', '=', customerId)
    .where('id', '=', importId)
    .execute();
}

async function work(deps: RunDeps, which: Which): Promise<boolean> {
  const { db, vault, blobs, clock } = deps;
  const { customerId } = which;
  const { found, types, lists } = await db.tenant([customerId], (tx) => prepare(tx, clock, which));
  if (found === undefined) return false;
  const form = found.settings.form as FileForm;
  const run: Running = {
    customerId,
    id: found.id,
    dryRun: found.dry_run,
    startDrips: found.settings.startDrips,
    startedAt: found.started_at as Date,
    lists,
    bytesDone: found.bytes_done,
  };
  const rest = { start: found.bytes_done, end: found.bytes };
  const place = { bytesDone: found.bytes_done, linesDone: found.lines_done };
  const rows = readRecords(form, blobs.read(customerId, found.blob_id as string, rest), place);
  const endsAt = performance.now() + SLICE_MS;
  for await (const chunk of inChunks(rows, createCheckRow(form.columns, types))) {
    const beganAt = performance.now();
    const isOurs = await writeChunk({ db, clock, keys: await vault.of(customerId) }, run, chunk);
    if (!isOurs) return false;
    run.bytesDone = chunk.bytesDone;
    if (performance.now() > endsAt) return true;
    await makeWay(deps, customerId, performance.now() - beganAt);
  }
  if (run.dryRun && (await forgetTold(db, run, endsAt))) return true;
  await finish(deps, run, found);
  return false;
}

/** What a slice of work stands on; a dry run makes neither fields nor lists. */
async function prepare(tx: Tx, clock: Clock, which: Which) {
  const { customerId } = which;
  const found = await find(tx, which);
  if (found === undefined) return { found, types: new Map<string, FieldType>(), lists: [] };
  const columns = found.settings.form?.columns ?? [];
  const names = columns.flatMap((column) => (column !== null && 'field' in column ? [column.field] : []));
  const types = found.dry_run
    ? await imaginedTypes(tx, customerId, names)
    : await fieldTypesNamed(tx, clock, customerId, names);
  const everybody = found.dry_run ? await findDefaultList(tx, customerId) : await defaultListId(tx, clock, customerId);
  const lists = new Set([everybody, found.subscription_list_id].filter((id) => id !== null));
  return { found, types, lists: [...lists] };
}

async function imaginedTypes(tx: Tx, customerId: number, names: string[]): Promise<Map<string, FieldType>> {
  const known = new Map((await listFieldTypes(tx, customerId)).map((type) => [type.name, type]));
  await requireRoom(tx, customerId, names.filter((name) => !known.has(name)).length);
  return new Map(names.map((name, index) => [name, known.get(name) ?? imaginedType(name, index)]));
}

function imaginedType(name: string, index: number): FieldType {
  return { id: '', number: -1 - index, name, kind: 'text', class: 'personal' };
}

/** Ends an import. The file of a dry run stays for the import that may follow. */
async function finish({ db, clock }: RunDeps, { customerId, id, bytesDone }: Running, found: Import): Promise<void> {
  const act = {
    customerId,
    actor: { kind: 'worker' as const, id: 'import' },
    action: 'import.finished',
    requestId: null,
  };
  await db.tenant([customerId], async (tx) => {
    const now = clock.now();
    const ended = await tx
      .updateTable('imports')
      .set({
        state: 'done',
        bytes_done: found.bytes,
        finished_at: now,
        updated_at: now,
      })
      .where('customer_id', '=', customerId)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('bytes_done', '=', bytesDone)
      .returning(['created', 'updated', 'unchanged', 'skipped', 'opted_out'])
      .executeTakeFirst();
    if (ended === undefined) return;
    if (!found.dry_run) await releaseFile(tx, customerId, id);
    await recordAct(tx, clock, act, { target: id, details: { dry_run: found.dry_run, ...ended } });
  });
}
