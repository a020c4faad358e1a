import { recordAct } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { countSubscribers } from '../subscribers/list.ts';
import { holdOpenJob, openConsentRequest, type WhichJob } from './bulk-job.ts';
import { type ConsentChangeKind, changeConsent } from './change-consent.ts';
import { BULK_PAGE, choiceOfJob, nextPeople } from './next-people.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Short enough for a server that is asked to stop, and for the other jobs that wait. */
const SLICE_MS = 3_000;

/** Changes the consent of many for a few seconds, from where the job stands. Answers whether there is more to do. */
export async function changeMany({ db, vault, clock }: Deps, which: WhichJob): Promise<boolean> {
  const keys = await vault.of(which.customerId);
  const endsAt = performance.now() + SLICE_MS;
  while (await db.tenant([which.customerId], (tx) => changePage(tx, { clock, keys }, which))) {
    if (performance.now() > endsAt) return true;
  }
  return false;
}

/** Changes one page of people, and writes how far that got in the same transaction. Answers whether more follow. */
async function changePage(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  which: WhichJob,
): Promise<boolean> {
  const { customerId, jobId } = which;
  const job = await holdOpenJob(tx, which);
  if (job === undefined) return false;
  const { act, selection, lists } = openConsentRequest(keys, job);
  const choice = choiceOfJob(customerId, job, selection);
  const total = job.state === 'waiting' ? await countSubscribers(tx, choice) : job.total;
  const rows = await nextPeople<{ id: string }>(tx, choice, job, job.place, ['id']);
  const people = rows.map(({ id }) => id);
  const { details, ...evidence } = evidenceOf(clock, act);
  await changeConsent(
    tx,
    keys,
    job.kind as ConsentChangeKind,
    { customerId, people, lists },
    {
      ...evidence,
      details: { ...details, job: jobId },
    },
  );
  const isLast = people.length < BULK_PAGE;
  const done = job.done + people.length;
  const now = clock.now();
  await tx
    .updateTable('bulk_jobs')
    .set({
      state: isLast ? 'done' : 'running',
      place: people.at(-1) ?? job.place,
      done,
      total: isLast ? done : Math.max(total, done),
      updated_at: now,
      finished_at: isLast ? now : null,
    })
    .where('customer_id', '=', customerId)
    .where('id', '=', jobId)
    .execute();
  if (isLast) {
    const actor = { kind: 'worker', id: 'bulk' } as const;
    const finished = { customerId, actor, action: 'bulk_job.finished', requestId: null };
    await recordAct(tx, clock, finished, { target: jobId, details: { kind: job.kind, people: done } });
  }
  return !isLast;
}
