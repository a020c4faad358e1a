import { recordAct } from '../../accounts/index.ts';
import { type SealedBlobs, type StoredBlob, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import { writeRows } from '../../platform/csv.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { givingWay } from '../../platform/giving-way.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { type BulkJob, holdOpenJob, openExportRequest, type WhichJob } from '../bulk/bulk-job.ts';
import { countPeople } from '../bulk/count-people.ts';
import { choiceOfJob, nextPeople, type PeoplePage } from '../bulk/next-people.ts';
import type { FieldType } from '../fields/field-type.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import type { PeopleChoice } from '../subscribers/choose-people.ts';
import { cellsOf, headersOf } from './columns.ts';
import { type ExportedPerson, readExported } from './exported-people.ts';
import { EXPORT_READY } from './tell-ready.ts';
import '../tables.ts';

export interface ExportDeps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
}

interface Export {
  job: BulkJob;
  choice: PeopleChoice;
  types: FieldType[];
}

/** Writes the file of an export. Begun again after a crash it starts over: until the end nothing refers to the file. */
export async function exportPeople(deps: ExportDeps, which: WhichJob): Promise<void> {
  const { db, vault, blobs } = deps;
  const { customerId } = which;
  const keys = await vault.of(customerId);
  const begun = await begin(deps, keys, which);
  if (begun === null) return;
  const rows = rowsOf(deps, keys, which, begun);
  const blob = await blobs.write(customerId, writeRows(headersOf(begun.types), rows));
  await db.tenant([customerId], (tx) => finish(tx, deps, which, blob));
}

async function begin({ db, clock }: ExportDeps, keys: CustomerVault, which: WhichJob): Promise<Export | null> {
  const { customerId } = which;
  const job = await db.tenant([customerId], (tx) => holdOpenJob(tx, which));
  if (job === undefined) return null;
  const choice = choiceOfJob(customerId, job, openExportRequest(keys, job).selection);
  const total = await countPeople(db, choice, job);
  return db.tenant([customerId], async (tx) => {
    await note(tx, which, { state: 'running', total, done: 0, updated_at: clock.now() });
    return { job, choice, types: await listFieldTypes(tx, customerId) };
  });
}

/** The cells of everybody, read page by page as the file is written. */
async function* rowsOf(
  { db, clock }: ExportDeps,
  keys: CustomerVault,
  which: WhichJob,
  { job, choice, types }: Export,
): AsyncGenerator<string[]> {
  for (let done = 0, place: string | null = null; ; ) {
    const after: string | null = place;
    const page: PeoplePage<ExportedPerson> = await db.tenant([which.customerId], async (tx) => {
      const found = await nextExported(tx, choice, job, after);
      await note(tx, which, { done: done + found.people.length, updated_at: clock.now() });
      return found;
    });
    const { people } = page;
    for await (const person of givingWay(people)) yield cellsOf(keys, types, person);
    if (page.place === null) return;
    done += people.length;
    place = page.place;
  }
}

/** The next people with all that is exported of them, as many as fit into the memory of a page. */
async function nextExported(
  tx: Tx,
  choice: PeopleChoice,
  job: BulkJob,
  after: string | null,
): Promise<PeoplePage<ExportedPerson>> {
  const next = await nextPeople<{ id: string }>(tx, choice, job, after, ['id']);
  const people = await readExported(
    tx,
    choice.customerId,
    next.people.map(({ id }) => id),
  );
  const isWhole = people.length === next.people.length;
  return { people, place: isWhole ? next.place : (people.at(-1)?.id ?? next.place) };
}

async function finish(tx: Tx, { clock }: ExportDeps, which: WhichJob, blob: StoredBlob): Promise<void> {
  const job = await holdOpenJob(tx, which);
  if (job === undefined) return;
  const { customerId, jobId } = which;
  const now = clock.now();
  await writeBlobRow(tx, clock, blob);
  await note(tx, which, {
    state: 'done',
    total: job.done,
    blob_id: blob.id,
    file_name: `subscribers-${now.toISOString().slice(0, 10)}.csv`,
    updated_at: now,
    finished_at: now,
  });
  await enqueueJob(tx, EXPORT_READY, { customerId, jobId }, `export-ready/${jobId}`);
  const actor = { kind: 'worker', id: 'bulk' } as const;
  const act = { customerId, actor, action: 'bulk_job.finished', requestId: null };
  await recordAct(tx, clock, act, { target: jobId, details: { kind: job.kind, people: job.done } });
}

type Changes = Partial<Pick<BulkJob, 'state' | 'total' | 'done' | 'blob_id' | 'file_name' | 'finished_at'>> & {
  updated_at: Date;
};

async function note(tx: Tx, { customerId, jobId }: WhichJob, changes: Changes): Promise<void> {
  await tx
    .updateTable('bulk_jobs')
    .set(changes)
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}
