import { loadSigningKey, OVERSIGHT_SEALED_COLUMNS, sweepSessions } from './accounts/index.ts';
import { createOversightTasks, OVERSIGHT_CRON } from './dashboard/index.ts';
import {
  type AcceptMessages,
  checkAllDomains,
  type DomainDns,
  EMAIL_SEALED_COLUMNS,
  type HandOver,
  type LinkTokens,
  type SignerFor,
  sendTlsReports,
  sweepContents,
  sweepPickups,
  sweepSandbox,
  sweepTlsReports,
  TELL_OWNERS,
  tellOwners,
} from './email/index.ts';
import {
  createFormTasks,
  FORMS_SEALED_COLUMNS,
  sweepDrafts,
  sweepFillings,
  sweepFormExports,
  sweepLinks,
  sweepSignerCodes,
  sweepSubmissions,
  sweepUploads,
} from './forms/index.ts';
import type { Installation } from './installation.ts';
import {
  createMarketingTasks,
  hasOpenSends,
  MARKETING_SEALED_COLUMNS,
  sweepExports,
  sweepGoneLists,
  sweepImportFiles,
  type WhichImport,
} from './marketing/index.ts';
import { referencedBlobs, type SealedBlobs } from './platform/blob/sealed-blobs.ts';
import { sweepOrphans } from './platform/blob/sweep.ts';
import type { Database } from './platform/db/database.ts';
import { ensurePartitions } from './platform/db/partitions.ts';
import { sweepIdempotencyKeys } from './platform/http/idempotency.ts';
import { LONGEST_REQUEST_MS } from './platform/http/limits/pace.ts';
import { sweepRateCounts } from './platform/http/limits/rate-limits.ts';
import { type CronEntry, type Task, takingLong } from './platform/jobs/runner.ts';
import type { Dial } from './platform/net/dial.ts';
import { resealCustomer, type SealedColumn } from './platform/vault/reseal.ts';

/** Every column in which values are sealed under a customer's key. */
export const SEALED_COLUMNS: SealedColumn[] = [
  ...EMAIL_SEALED_COLUMNS,
  ...FORMS_SEALED_COLUMNS,
  ...MARKETING_SEALED_COLUMNS,
  ...OVERSIGHT_SEALED_COLUMNS,
  { table: 'user_totp', row: 'user_id', column: 'secret' },
  { table: 'user_totp', row: 'user_id', column: 'pending' },
  { table: 'blobs', row: 'id', column: 'file_key' },
  { table: 'legal_holds', row: 'id', column: 'sealed' },
  { table: 'legal_holds', row: 'id', column: 'release' },
  { table: 'idempotency_keys', row: `operation || '/' || encode(key_hash, 'hex')`, column: 'reply' },
];

interface WorkerDeps {
  /** The database and the blobs as the worker role reaches them. */
  db: Database;
  blobs: SealedBlobs;
  tokens: LinkTokens;
  dial: Dial;
  acceptMessages: AcceptMessages;
  domainDns: DomainDns;
  handOver: HandOver;
  signerFor: SignerFor;
  workOnImportApart(which: WhichImport): Promise<boolean>;
}

export const RESEAL = 'vault.reseal';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** The side jobs of the product, run as the worker role. */
export function createTasks(
  installation: Installation,
  { db: workerDb, blobs, domainDns, handOver, signerFor, ...deps }: WorkerDeps,
): Record<string, Task> {
  const { config, ownerUrl, db, blobStore, vault, clock, log } = installation;
  const { systemFrom, publicUrl } = config;
  const { dial, acceptMessages } = deps;
  const sendReports: Task = () =>
    sendTlsReports({ db: workerDb, clock, dns: domainDns, dial, handOver, signerFor, systemFrom });
  sendReports.callsOut = true;
  return {
    ...createMarketingTasks({ ...deps, db: workerDb, vault, blobs, clock, systemFrom, publicUrl }),
    // What an export reads is more than the worker role may.
    ...createFormTasks({ db, vault, blobs: installation.blobs, clock, publicUrl }),
    ...createOversightTasks({ db, clock, acceptMessages, systemFrom, publicUrl }),
    ...takingLong({
      [RESEAL]: async ({ customerId }) => {
        await resealCustomer({ db: workerDb, vault }, Number(customerId), SEALED_COLUMNS);
      },
    }),
    // Accepting mail is more than the worker role may.
    [TELL_OWNERS]: ({ customerId, endpointId, deliveryId, attempt, what }) =>
      tellOwners(
        { db, vault, blobs: installation.blobs, clock, systemFrom },
        {
          customerId: Number(customerId),
          endpointId: Number(endpointId),
          deliveryId: String(deliveryId),
          attempt: Number(attempt),
          what: what === 'disabled' ? 'disabled' : 'failing',
        },
      ),
    ...takingLong({
      'sweep.hourly': async () => {
        await sweepIdempotencyKeys(workerDb, clock);
        await sweepRateCounts(workerDb, clock);
        await sweepSessions({ db: workerDb, clock });
        await sweepPickups({ db: workerDb, vault, clock });
        await sweepContents({ db: workerDb, clock }, config.retention);
        await sweepSandbox({ db: workerDb, clock }, config.retention);
        await sweepTlsReports({ db: workerDb, clock });
        await sweepSubmissions({
          db: workerDb,
          store: blobStore,
          clock,
          signingKey: await loadSigningKey({ db, vault }),
        });
        await sweepLinks({ db: workerDb, clock });
        await sweepDrafts({ db: workerDb, clock });
        await sweepFillings({ db: workerDb, clock });
        await sweepSignerCodes({ db: workerDb, clock });
        await sweepUploads({ db: workerDb, store: blobStore, clock });
        await sweepExports({ db: workerDb, clock });
        await sweepImportFiles({ db: workerDb, clock });
        await sweepGoneLists(workerDb);
        await sweepFormExports({ db: workerDb, store: blobStore, clock });
        const isReferenced = (ids: string[]) => referencedBlobs(workerDb, ids);
        await sweepOrphans({ store: blobStore, clock, isReferenced }, { olderThanMs: 2 * LONGEST_REQUEST_MS });
      },
    }),
    'partitions.daily': () => ensurePartitions(ownerUrl, clock),
    'tls-reports.send': sendReports,
    'domains.check': () =>
      checkAllDomains({
        db: workerDb,
        dns: domainDns,
        clock,
        returnPathDomain: config.returnPathDomain,
        log,
        hasOpenSends,
      }),
  };
}

export const cronEntries: CronEntry[] = [
  ...OVERSIGHT_CRON,
  { task: 'sweep.hourly', schedule: '17 * * * *', catchUpMs: HOUR_MS },
  { task: 'partitions.daily', schedule: '5 3 * * *', catchUpMs: DAY_MS },
  { task: 'tls-reports.send', schedule: '*/10 * * * *' },
  { task: 'domains.check', schedule: '35 4 * * *', catchUpMs: DAY_MS },
];
