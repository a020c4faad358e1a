import {
  carryOutVerification,
  createRestoreFollower,
  type Sealer,
  type SigningKey,
  sealAndSign,
  VERIFY_AUDIT,
} from './accounts/index.ts';
import {
  createReturnPaths,
  createSigners,
  type Delivery,
  type DomainDns,
  type Email,
  type LinkTokens,
  type onwardOf,
  startDelivery,
} from './email/index.ts';
import { resumeFormExports } from './forms/index.ts';
import type { Installation } from './installation.ts';
import { createTasks, cronEntries } from './jobs.ts';
import {
  createImportsApart,
  type Drips,
  type Mailings,
  resumeBulkJobs,
  resumeImports,
  startDrips,
  startMailings,
} from './marketing/index.ts';
import { tellSetAside } from './operations/restore/index.ts';
import { RETENTION, RETENTION_CRON, removeWhatIsOver } from './operations/retention/index.ts';
import type { Overrides } from './overrides.ts';
import type { SealedBlobs } from './platform/blob/sealed-blobs.ts';
import type { Database } from './platform/db/database.ts';
import type { Idempotency } from './platform/http/idempotency.ts';
import { startJobs, takingLong } from './platform/jobs/runner.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Dial } from './platform/net/dial.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Deps {
  /** The database and the blobs as the worker role sees them. */
  db: Database;
  blobs: SealedBlobs;
  sealerDb: Database;
  sealer: Sealer;
  signingKey: SigningKey;
  checkpointFile: string;
  metrics: Metrics;
  tokens: LinkTokens;
  dial: Dial;
  onward: ReturnType<typeof onwardOf>;
  acceptMessages: Email['acceptMessages'];
  idempotency: Idempotency;
  domainDns: DomainDns;
  overrides: Overrides;
  repeat(ms: number, name: string, work: () => Promise<unknown>): void;
}

/** What works on the queues, and how to end it. */
export interface Worker {
  delivery: Delivery;
  mailings: Mailings;
  drips: Drips;
  stops: (() => Promise<void>)[];
}

/** Begins to deliver, to mail, to lead people through drips, to seal the audit log and to do side jobs. */
export async function startWorker(installation: Installation, deps: Deps): Promise<Worker> {
  const { config, ownerUrl, poolerUrl, vault, clock, log } = installation;
  const { db, blobs, sealerDb, sealer, signingKey, checkpointFile, repeat } = deps;
  const { metrics, tokens, dial, onward, acceptMessages, idempotency, domainDns } = deps;
  const { peer, patience } = deps.overrides;
  const worker = { db, vault, clock, log, metrics, tokens, dial, publicUrl: config.publicUrl };
  const signerFor = createSigners({ ...worker, mode: config.delivery, systemFrom: config.systemFrom });
  const returnPathDomainOf = createReturnPaths({ ...worker, ...config });
  const delivery = await startDelivery({
    ...worker,
    blobs,
    signerFor,
    returnPathDomainOf,
    onward,
    ...(peer === undefined ? {} : { peer }),
    ...(patience === undefined ? {} : { patience }),
  });
  const { handOver, warmUp } = delivery;
  const sending = { signerFor, returnPathDomainOf, handOver, warmUp, acceptMessages, idempotency };
  const mailings = startMailings({ ...worker, ...sending });
  const drips = startDrips({ ...worker, ownerUrl, onMails: () => mailings.nudge() });
  const { masterKeyFile, keyStoreFolder, blobUrl, logLevel } = config;
  const importsApart = createImportsApart({ ownerUrl, poolerUrl, masterKeyFile, keyStoreFolder, blobUrl, logLevel });
  const follow = createRestoreFollower({ db, sealerDb, clock, signingKey, checkpointFile });
  const followRestores = async () => {
    for (const aside of await follow()) log.warn(aside, tellSetAside(aside));
  };
  const tasks = {
    ...createTasks(installation, {
      db,
      blobs,
      tokens,
      dial,
      acceptMessages,
      domainDns,
      handOver,
      signerFor,
      workOnImportApart: importsApart.ask,
    }),
    ...takingLong({
      [VERIFY_AUDIT]: ({ customerId }) =>
        followRestores().then(() =>
          carryOutVerification({ db, sealerDb, signingKey, checkpointFile, clock }, Number(customerId)),
        ),
      [RETENTION]: () => removeWhatIsOver({ ownerUrl, db, clock, signingKey, operator: config.retention }),
    }),
  };
  const stopJobs = await startJobs({ ownerUrl, log, clock, tasks, cron: [...cronEntries, RETENTION_CRON] });
  repeat(5 * SECOND, 'interrupted imports', () => resumeImports({ db, clock }));
  repeat(30 * SECOND, 'interrupted bulk jobs', () => resumeBulkJobs({ db, clock }));
  repeat(30 * SECOND, 'interrupted exports', () => resumeFormExports({ db, clock }));
  repeat(SECOND / 2, 'audit seal', sealAndSign(sealer));
  repeat(MINUTE, 'audit checkpoint', async () => {
    await followRestores();
    await sealer.checkpoint();
  });
  const stopSideWork = async () => {
    await stopJobs();
    await importsApart.stop();
  };
  return { delivery, mailings, drips, stops: [delivery.stop, mailings.stop, drips.stop, stopSideWork] };
}
