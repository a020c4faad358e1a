import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Page } from '../read-page.ts';
import { type BulkJob, selectBulkJobs } from './bulk-job.ts';
import '../tables.ts';

/** How far work on many people has come. */
export interface Progress {
  id: string;
  kind: string;
  state: string;
  total: number;
  failures: number;
  /** Never none before the end: clients ask until it is. */
  pending: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** How far a job has come that an id names, a bulk job or a send of a mailing: 404, or 403 where it is another's. */
export async function findProgress(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<Progress> {
  const missing = missingField('bid', 'no such job');
  if (!isUuid(id)) throw missing;
  const owner = sql<number | null>`coalesce(find_bulk_job_customer(${id}), find_send_job_customer(${id}))`;
  await requireOwn(tx, customerId, owner, missing);
  const job = await selectBulkJobs(tx, customerId).where('id', '=', id).executeTakeFirst();
  const progress = job === undefined ? await progressOfSend(tx, customerId, id) : progressOf(job);
  if (progress === undefined) throw missing;
  return progress;
}

/** One page of the bulk jobs of a customer, the newest first, and how many there are. */
export async function listProgress(
  tx: Tx,
  customerId: number,
  { page, items }: Page,
): Promise<{ jobs: Progress[]; total: number }> {
  const jobs = await selectBulkJobs(tx, customerId)
    .orderBy('id', 'desc')
    .limit(items)
    .offset((page - 1) * items)
    .execute();
  const { total } = await tx
    .selectFrom('bulk_jobs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { jobs: jobs.map(progressOf), total };
}

function progressOf(job: BulkJob): Progress {
  const { id, kind, state, total, done, failures, created_at: createdAt, finished_at: finishedAt } = job;
  return withPending({ id, kind, state, total, failures, createdAt, finishedAt }, total - done - failures);
}

interface SendRow extends Omit<Progress, 'pending'> {
  open: number;
}

async function progressOfSend(tx: Tx, customerId: number, jid: string): Promise<Progress | undefined> {
  const { rows } = await sql<SendRow>`
    select s.jid as id, 'send' as kind, s.state, c.people as total, c.soft_bounced + c.hard_bounced as failures,
      s.created_at as "createdAt", s.finished_at as "finishedAt",
      c.people - c.sent - c.delivered - c.soft_bounced - c.hard_bounced - c.suppressed - c.excluded - c.uncertain - c.cancelled
        as open
    from campaign_mailing_sends s join send_counts c on c.customer_id = s.customer_id and c.send_id = s.id
    where s.customer_id = ${customerId} and s.jid = ${jid}`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { open, ...send } = row;
  return withPending(send, open);
}

function withPending(job: Omit<Progress, 'pending'>, open: number): Progress {
  const pending = job.finishedAt === null ? Math.max(open, 1) : 0;
  return { ...job, total: Math.max(job.total, pending), pending };
}
