import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Selection } from '../subscribers/selection.ts';
import '../tables.ts';

/** The side job that works on bulk jobs of every kind. */
export const BULK_TASK = 'marketing.bulk';

/** What a bulk job does to everybody who fits. */
export type BulkKind = 'subscribe' | 'unsubscribe' | 'export' | 'enrol' | 'move';

/** What was asked for. */
interface Asked {
  /** Who asked. */
  act: Act;
}

export interface BulkRequest extends Asked {
  selection: Selection;
}

export interface ConsentRequest extends BulkRequest {
  /** The lists to join or to leave; none for everything that the customer mails to many. */
  lists: number[];
}

export interface ExportRequest extends BulkRequest {
  /** Who is told that the file is there. */
  email: string;
  mode: 'live' | 'test';
}

export interface EnrolRequest extends BulkRequest {
  /** The drip campaign that they enter. */
  dripId: number;
}

export interface MoveRequest extends Asked {
  dripId: number;
  /** The versions that people went by, and the one that they go by from now on. */
  fromVersions: number[];
  toVersion: number;
  /** Where those go who stood at a step, by that step. */
  steps: Record<string, string>;
}

/** What was asked for, by what is done. */
interface Requests {
  subscribe: ConsentRequest;
  unsubscribe: ConsentRequest;
  export: ExportRequest;
  enrol: EnrolRequest;
  move: MoveRequest;
}

/** Which job, and whose. */
export interface WhichJob {
  customerId: number;
  jobId: string;
}

const COLUMNS = [
  'id',
  'kind',
  'state',
  'total',
  'done',
  'failures',
  'sealed',
  'place',
  'blob_id',
  'file_name',
  'created_at',
  'finished_at',
] as const;

/** A job as it stands. */
export type BulkJob = Awaited<ReturnType<ReturnType<typeof selectBulkJobs>['executeTakeFirstOrThrow']>>;

/** The bulk jobs of a customer. */
export function selectBulkJobs(tx: Tx, customerId: number) {
  return tx.selectFrom('bulk_jobs').select(COLUMNS).where('customer_id', '=', customerId);
}

/** Writes down a job and lets it begin; answers its id. */
export async function createBulkJob<Kind extends BulkKind>(
  tx: Tx,
  { clock, keys, act }: { clock: Clock; keys: CustomerVault; act: Act },
  kind: Kind,
  request: Omit<Requests[Kind], 'act'>,
): Promise<string> {
  const { customerId } = act;
  const now = clock.now();
  const id = timeOrderedId(clock);
  await tx
    .insertInto('bulk_jobs')
    .values({
      id,
      customer_id: customerId,
      kind,
      state: 'waiting',
      sealed: keys.seal(placeOf(id), JSON.stringify({ ...request, act })),
      created_at: now,
      updated_at: now,
    })
    .execute();
  await letWork(tx, { customerId, jobId: id });
  await recordAct(tx, clock, act, { target: id });
  return id;
}

/** Lets the side jobs work on a job. */
export function letWork(tx: Tx, { customerId, jobId }: WhichJob): Promise<void> {
  return enqueueJob(tx, BULK_TASK, { customerId, jobId }, `bulk/${jobId}`);
}

type Sealed = Pick<BulkJob, 'id' | 'sealed'>;

/** Whose consent a job was asked to change, and how. */
export function openConsentRequest(keys: CustomerVault, job: Sealed): ConsentRequest {
  return open(keys, job) as ConsentRequest;
}

/** What a job was asked to export, and for whom. */
export function openExportRequest(keys: CustomerVault, job: Sealed): ExportRequest {
  return open(keys, job) as ExportRequest;
}

/** Whom a job was asked to let into which drip campaign. */
export function openEnrolRequest(keys: CustomerVault, job: Sealed): EnrolRequest {
  return open(keys, job) as EnrolRequest;
}

/** Whom a job was asked to move to which version of a drip campaign. */
export function openMoveRequest(keys: CustomerVault, job: Sealed): MoveRequest {
  return open(keys, job) as MoveRequest;
}

/** A job that is not over, held until the transaction ends: two that work on it take turns. */
export function holdOpenJob(tx: Tx, { customerId, jobId }: WhichJob): Promise<BulkJob | undefined> {
  return selectBulkJobs(tx, customerId)
    .where('id', '=', jobId)
    .where('state', 'in', ['waiting', 'running'])
    .forUpdate()
    .executeTakeFirst();
}

function open(keys: CustomerVault, { id, sealed }: Sealed): unknown {
  return JSON.parse(keys.open(placeOf(id), sealed).toString());
}

function placeOf(id: string) {
  return { table: 'bulk_jobs', row: id, column: 'sealed' };
}
