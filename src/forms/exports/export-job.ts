import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { safeFileName } from '../../platform/http/pages/content-disposition.ts';
import { isUuid } from '../../platform/ids.ts';
import '../tables.ts';

/** As what submissions can be taken out. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'pdf-zip', 'deidentified-csv', 'fhir-bundle'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How an export stands; one that is gone was done once. */
export type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'gone';

/** Why there is no file any more. */
export type GoneBecause = 'expired' | 'destroyed' | 'person_removed' | 'deleted';

/** For how long the file of an export is kept. */
export const EXPORT_DAYS = 7;

/** Which export, and whose. */
export interface WhichExport {
  customerId: number;
  jobId: string;
}

const COLUMNS = [
  'j.id',
  'j.form_id',
  'j.format',
  'j.state',
  'j.total',
  'j.done',
  'j.attempt',
  'j.tries',
  'j.blob_id',
  'j.file_name',
  'j.gone_because',
  'j.created_by_kind',
  'j.created_by',
  'j.created_at',
  'j.finished_at',
] as const;

const PERSON_REMOVED = sql<boolean>`(j.created_by_kind = 'user' and exists (select from users u
  where u.customer_id = j.customer_id and u.id::text = j.created_by and u.disabled_at is not null))`;

/** The exports of a customer's forms. */
export function selectExports(tx: Tx, customerId: number) {
  return tx
    .selectFrom('form_export_jobs as j')
    .select(COLUMNS)
    .select(PERSON_REMOVED.as('person_removed'))
    .where('j.customer_id', '=', customerId);
}

/** An export as it stands. */
export type ExportJob = Awaited<ReturnType<ReturnType<typeof selectExports>['executeTakeFirstOrThrow']>>;

/** The same with the title of its form, for those who ask. */
function selectTitled(tx: Tx, customerId: number) {
  return selectExports(tx, customerId)
    .innerJoin('forms as f', (join) =>
      join.onRef('f.customer_id', '=', 'j.customer_id').onRef('f.id', '=', 'j.form_id'),
    )
    .select('f.title');
}

export type TitledExport = ExportJob & { title: string };

const LONGEST_TITLE = 80;

/** What the file of an export is called: by its form and the day. */
export function fileNameOf({ title, file_name: name }: TitledExport): string | null {
  return name === null ? null : safeFileName(`${Array.from(title).slice(0, LONGEST_TITLE).join('')} ${name}`);
}

/** One page of the exports of a customer, the newest first, and how many there are. */
export async function listExports(
  tx: Tx,
  customerId: number,
  { page, items }: { page: number; items: number },
): Promise<{ jobs: TitledExport[]; total: number }> {
  const jobs = await selectTitled(tx, customerId)
    .orderBy('j.id', 'desc')
    .limit(items)
    .offset((page - 1) * items)
    .execute();
  const { total } = await tx
    .selectFrom('form_export_jobs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { jobs, total };
}

/** One export of the customer: 404 where there is none, 403 where it is another's. */
export async function findExport(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<TitledExport> {
  const missing = 'No such export';
  if (!isUuid(id)) throw new AppError('not_found', missing);
  await requireOwn(tx, customerId, sql<number | null>`find_form_export_customer(${id})`, missing);
  const job = await selectTitled(tx, customerId).where('j.id', '=', id).executeTakeFirst();
  if (job === undefined) throw new AppError('not_found', missing);
  return job;
}

/** How an export stands for whoever asks: with the person who asked for it, it is gone. */
export function standOf(job: ExportJob): { state: ExportState; because: GoneBecause | null } {
  const isOver = job.state === 'failed' || job.state === 'cancelled' || job.state === 'gone';
  if (job.person_removed && !isOver) return { state: 'gone', because: 'person_removed' };
  return { state: job.state, because: job.gone_because };
}
