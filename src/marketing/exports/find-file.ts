import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';
import { EXPORT_DAYS } from './kept-days.ts';
import '../tables.ts';

/** The file of an export. */
export interface ExportFile {
  jobId: string;
  blobId: string;
  name: string;
  size: number;
}

/** The file of the export that an id names: 404 where there is none, 403 where it is another's, 409 before it is there. */
export async function findExportFile(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<ExportFile> {
  const missing = missingField('bid', `no such export, or it is older than ${EXPORT_DAYS} days`);
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_bulk_job_customer(${id})`, missing);
  const job = await tx
    .selectFrom('bulk_jobs as j')
    .leftJoin('blobs as b', (join) => join.onRef('b.id', '=', 'j.blob_id').onRef('b.customer_id', '=', 'j.customer_id'))
    .select(['j.id', 'j.state', 'j.blob_id', 'j.file_name', 'b.size'])
    .where('j.customer_id', '=', customerId)
    .where('j.id', '=', id)
    .where('j.kind', '=', 'export')
    .executeTakeFirst();
  if (job === undefined) throw missing;
  if (job.state === 'waiting' || job.state === 'running') throw new AppError('conflict', 'The export is not ready yet');
  if (job.blob_id === null || job.file_name === null || job.size === null) throw missing;
  return { jobId: job.id, blobId: job.blob_id, name: job.file_name, size: job.size };
}
