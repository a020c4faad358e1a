import { recordAct } from '../../accounts/index.ts';
import { type SealedBlobs, type StoredBlob, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { openBefore } from '../submissions/export.ts';
import type { Submission } from '../submissions/submission.ts';
import { type ExportFormat, type ExportJob, selectExports, type WhichExport } from './export-job.ts';
import { FORMATS, type WritingDeps } from './formats.ts';
import { letGo } from './release.ts';
import '../tables.ts';

export interface MakeDeps extends WritingDeps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
}

/** After how many submissions the progress is written down. */
const STEP = 50;

/** How often one is begun before it is given up. */
const MOST_TRIES = 5;

/** How often a process says that it is still at work, however long one submission takes. */
const BEAT_MS = 15_000;

/** Thrown where an attempt is not the one that counts any more: it was cancelled, or begins anew. */
class Overtaken extends Error {}

/**
 * Makes the file of an export. Begun again after a crash it starts over: until the end nothing refers to the file.
 * Answers whether it has to begin anew, since something that stood in it was destroyed meanwhile.
 */
export async function makeFile(deps: MakeDeps, which: WhichExport): Promise<boolean> {
  const { db, blobs } = deps;
  const { customerId } = which;
  const job = await db.tenant([customerId], (tx) => begin(tx, deps, which));
  if (job === null) return false;
  const stop = keepAlive(deps, which, job.attempt);
  try {
    const form = await openBefore(deps, { customerId, formId: job.form_id, before: job.id });
    const progress = followProgress(deps, which, job.attempt);
    const blob = await blobs.write(customerId, FORMATS[job.format].write(deps, { customerId, form, ...progress }));
    await db.tenant([customerId], (tx) => finish(tx, deps, which, { job, blob, done: progress.counted() }));
    return false;
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return db.tenant([customerId], (tx) => isWaiting(tx, which));
  } finally {
    stop();
  }
}

async function begin(tx: Tx, { clock }: MakeDeps, which: WhichExport): Promise<ExportJob | null> {
  const { customerId, jobId } = which;
  await awaitDestruction(tx, which);
  const job = await selectExports(tx, customerId)
    .where('j.id', '=', jobId)
    .where('j.state', 'in', ['waiting', 'running'])
    .forUpdate('j')
    .executeTakeFirst();
  if (job === undefined) return null;
  if (job.person_removed) {
    await letGo(tx, clock, which, 'person_removed');
    return null;
  }
  const now = clock.now();
  if (job.tries >= MOST_TRIES) {
    await tx
      .updateTable('form_export_jobs')
      .set({ state: 'failed', updated_at: now, finished_at: now })
      .where('customer_id', '=', customerId)
      .where('id', '=', jobId)
      .execute();
    return null;
  }
  const count = await tx
    .selectFrom('form_counts')
    .select('submission_count')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', job.form_id)
    .executeTakeFirst();
  const attempt = job.attempt + 1;
  const total = count?.submission_count ?? 0;
  await tx
    .updateTable('form_export_jobs')
    .set({ state: 'running', attempt, tries: job.tries + 1, total, done: 0, updated_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .execute();
  return { ...job, attempt };
}

/**
 * Whoever destroys submissions has the count of their form until that is committed, and lets only exports that are under way
 * begin anew: one that began meanwhile would read what is not gone yet.
 */
async function awaitDestruction(tx: Tx, { customerId, jobId }: WhichExport): Promise<void> {
  await tx
    .selectFrom('form_counts')
    .select('form_id')
    .where('customer_id', '=', customerId)
    .where('form_id', '=', (eb) =>
      eb.selectFrom('form_export_jobs').select('form_id').where('customer_id', '=', customerId).where('id', '=', jobId),
    )
    .forShare()
    .execute();
}

/** Says now and then that an attempt is still at work, so that nobody takes it over; answers how that ends. */
function keepAlive({ db, clock }: MakeDeps, which: WhichExport, attempt: number): () => void {
  const timer = setInterval(() => {
    // Where this fails the attempt learns of it by what it writes down itself.
    db.tenant([which.customerId], (tx) => note(tx, which, attempt, { updated_at: clock.now() })).catch(() => undefined);
  }, BEAT_MS);
  return () => clearInterval(timer);
}

/** Lets submissions go by and writes down how many have; ends an attempt that is not the one that counts any more. */
function followProgress({ db, clock }: MakeDeps, which: WhichExport, attempt: number) {
  let done = 0;
  const write = () =>
    db.tenant([which.customerId], (tx) => note(tx, which, attempt, { done, updated_at: clock.now() }));
  async function* follow(submissions: AsyncIterable<Submission>, step: 0 | 1): AsyncGenerator<Submission> {
    let passed = 0;
    for await (const submission of submissions) {
      yield submission;
      done += step;
      passed += 1;
      if (passed % STEP === 0) await write();
    }
  }
  return {
    look: (submissions: AsyncIterable<Submission>) => follow(submissions, 0),
    count: (submissions: AsyncIterable<Submission>) => follow(submissions, 1),
    counted: () => done,
  };
}

type Finished = { job: ExportJob; blob: StoredBlob; done: number };

async function finish(tx: Tx, { clock }: MakeDeps, which: WhichExport, { job, blob, done }: Finished): Promise<void> {
  const { customerId, jobId } = which;
  const now = clock.now();
  await writeBlobRow(tx, clock, blob);
  await note(tx, which, job.attempt, {
    state: 'done',
    total: done,
    done,
    blob_id: blob.id,
    file_name: nameOf(job.format, now),
    updated_at: now,
    finished_at: now,
  });
  const actor = { kind: 'worker', id: 'export' } as const;
  const act = { customerId, actor, action: 'form.export-made', requestId: null };
  await recordAct(tx, clock, act, { target: jobId, details: { form: job.form_id, submissions: done } });
}

/** What the name of the form is put before. */
function nameOf(format: ExportFormat, now: Date): string {
  const kind = format === 'deidentified-csv' ? 'deidentified ' : '';
  return `${kind}${now.toISOString().slice(0, 10)}.${FORMATS[format].extension}`;
}

type Noted = Partial<Pick<ExportJob, 'state' | 'total' | 'done' | 'blob_id' | 'file_name' | 'finished_at'>>;

async function note(tx: Tx, which: WhichExport, attempt: number, news: Noted & { updated_at: Date }): Promise<void> {
  const noted = await tx
    .updateTable('form_export_jobs')
    .set(news)
    .where('customer_id', '=', which.customerId)
    .where('id', '=', which.jobId)
    .where('state', '=', 'running')
    .where('attempt', '=', attempt)
    .returning('id')
    .execute();
  if (noted.length === 0) throw new Overtaken();
}

async function isWaiting(tx: Tx, { customerId, jobId }: WhichExport): Promise<boolean> {
  const job = await selectExports(tx, customerId).where('j.id', '=', jobId).executeTakeFirst();
  return job?.state === 'waiting';
}
