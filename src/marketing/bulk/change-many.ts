import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { enterDrip, takesPeople } from '../drip/campaigns/enter.ts';
import type { Selection } from '../subscribers/selection.ts';
import { type BulkJob, holdOpenJob, openConsentRequest, openEnrolRequest, type WhichJob } from './bulk-job.ts';
import { type ConsentChangeKind, changeConsent } from './change-consent.ts';
import { countPeople } from './count-people.ts';
import { choiceOfJob, nextPeople } from './next-people.ts';
import { giveUp, writeProgress } from './write-progress.ts';
import '../tables.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Short enough for a server that is asked to stop, and for the other jobs that wait. */
const SLICE_MS = 3_000;

/** Works on many people for a few seconds, from where the job stands. Answers whether there is more to do. */
export async function changeMany({ db, vault, clock }: Deps, which: WhichJob): Promise<boolean> {
  const keys = await vault.of(which.customerId);
  const counted = await countAtFirst(db, keys, which);
  const endsAt = performance.now() + SLICE_MS;
  while (await db.tenant([which.customerId], (tx) => changePage(tx, { clock, keys }, which, counted))) {
    if (performance.now() > endsAt) return true;
  }
  return false;
}

/** How many people a job is about that has not begun yet. */
async function countAtFirst(db: Database, keys: CustomerVault, which: WhichJob): Promise<number | null> {
  const { customerId } = which;
  const job = await db.tenant([customerId], (tx) => holdOpenJob(tx, which));
  if (job?.state !== 'waiting') return null;
  return countPeople(db, choiceOfJob(customerId, job, selectionOf(keys, job)), job);
}

function selectionOf(keys: CustomerVault, job: BulkJob): Selection {
  return (job.kind === 'enrol' ? openEnrolRequest(keys, job) : openConsentRequest(keys, job)).selection;
}

/** Changes one page of people, and writes how far that got in the same transaction. Answers whether more follow. */
async function changePage(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  which: WhichJob,
  counted: number | null,
): Promise<boolean> {
  const { customerId } = which;
  const job = await holdOpenJob(tx, which);
  if (job === undefined) return false;
  const choice = choiceOfJob(customerId, job, selectionOf(keys, job));
  const total = counted ?? job.total;
  const isTaken = job.kind === 'enrol' ? await takesPeople(tx, { customerId, ...openEnrolRequest(keys, job) }) : 'now';
  // A job that rests is taken up again from time to time, like one whose process died.
  if (isTaken === 'later') return false;
  if (isTaken === 'never') {
    await giveUp(tx, clock, which, job, total);
    return false;
  }
  const page = await nextPeople<{ id: string }>(tx, choice, job, job.place, ['id']);
  const people = page.people.map(({ id }) => id);
  await work(tx, { clock, keys }, which, job, people);
  const isLast = page.place === null;
  const place = page.place ?? people.at(-1);
  await writeProgress(tx, clock, which, job, { place, people: people.length, total, isLast });
  return !isLast;
}

/** Does what was asked for with some people. */
async function work(
  tx: Tx,
  { clock, keys }: { clock: Clock; keys: CustomerVault },
  { customerId, jobId }: WhichJob,
  job: BulkJob,
  people: string[],
): Promise<void> {
  if (job.kind === 'enrol') {
    const { dripId } = openEnrolRequest(keys, job);
    return enterDrip(tx, clock, { customerId, dripId, people });
  }
  const { act, lists } = openConsentRequest(keys, job);
  const { details, ...evidence } = evidenceOf(clock, act);
  const byJob = { ...evidence, details: { ...details, job: jobId } };
  const chosen = { customerId, people, lists, named: false };
  return changeConsent(tx, keys, job.kind as ConsentChangeKind, chosen, byJob);
}
