import {
  type AcceptMessages,
  EMAIL_SEALED_COLUMNS,
  sweepContents,
  sweepSandbox,
  TELL_OWNER,
  tellOwner,
} from './email/index.ts';
import { FORMS_SEALED_COLUMNS, sweepSubmissions } from './forms/index.ts';
import type { Installation } from './installation.ts';
import { referencedBlobs } from './platform/blob/sealed-blobs.ts';
import { sweepOrphans } from './platform/blob/sweep.ts';
import type { Database } from './platform/db/database.ts';
import { ensurePartitions } from './platform/db/partitions.ts';
import { sweepIdempotencyKeys } from './platform/http/idempotency.ts';
import { LONGEST_REQUEST_MS } from './platform/http/pace.ts';
import { sweepRateCounts } from './platform/http/rate-limits.ts';
import type { CronEntry, Task } from './platform/jobs/runner.ts';
import { resealCustomer, type SealedColumn } from './platform/vault/reseal.ts';

/** Every column in which values are sealed, for the rotation of customer keys. */
const SEALED_COLUMNS: SealedColumn[] = [
  ...EMAIL_SEALED_COLUMNS,
  ...FORMS_SEALED_COLUMNS,
  { table: 'blobs', row: 'id', column: 'file_key' },
  { table: 'idempotency_keys', row: `operation || '/' || encode(key_hash, 'hex')`, column: 'reply' },
];

export const RESEAL = 'vault.reseal';

/** The side jobs of the product, run as the worker role. */
export function createTasks(
  installation: Installation,
  workerDb: Database,
  acceptMessages: AcceptMessages,
): Record<string, Task> {
  const { config, ownerUrl, blobStore, vault, clock } = installation;
  return {
    [RESEAL]: async ({ customerId }) => {
      await resealCustomer({ db: workerDb, vault }, Number(customerId), SEALED_COLUMNS);
    },
    [TELL_OWNER]: async ({ customerId, endpointId, what }) => {
      const deps = { db: workerDb, acceptMessages, systemFrom: config.systemFrom };
      await tellOwner(deps, { customerId: Number(customerId), endpointId: Number(endpointId), what: String(what) });
    },
    'sweep.hourly': async () => {
      await sweepIdempotencyKeys(workerDb, clock);
      await sweepRateCounts(workerDb, clock);
      await sweepContents({ db: workerDb, clock }, config.retention.contentDays);
      await sweepSandbox({ db: workerDb, clock }, config.retention.sandboxDays);
      await sweepSubmissions({ db: workerDb, store: blobStore, clock });
      const isReferenced = (ids: string[]) => referencedBlobs(workerDb, ids);
      await sweepOrphans({ store: blobStore, clock, isReferenced }, { olderThanMs: 2 * LONGEST_REQUEST_MS });
    },
    'partitions.daily': () => ensurePartitions(ownerUrl, clock),
  };
}

export const cronEntries: CronEntry[] = [
  { task: 'sweep.hourly', schedule: '17 * * * *' },
  { task: 'partitions.daily', schedule: '5 3 * * *' },
];
