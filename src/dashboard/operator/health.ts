import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { isHeard, listNodes } from '../../platform/nodes.ts';
import { readQueues } from './queues.ts';
import { readDisk } from './storage.ts';

const DAY_MS = 24 * 3600_000;
const SEALER_LATE_SECONDS = 60;
const CERTIFICATE_SOON_DAYS = 14;

export const HEALTH_CHECKS = ['database', 'disk', 'worker', 'sealer', 'queues', 'certificate'] as const;

/** One thing that was looked at. The number is what was measured, in the unit that belongs to it. */
export interface HealthCheck {
  name: (typeof HEALTH_CHECKS)[number];
  state: 'good' | 'poor' | 'unknown';
  /** Milliseconds of the database, free bytes, seconds since a worker was seen and since the oldest row is unsealed, late
   * work, days until the certificate ends. */
  measured: number | null;
}

export interface HealthDeps {
  db: Database;
  workerDb: Database;
  /** The database as the sealer sees it: audit rows of all customers. */
  sealerDb: Database;
  clock: Clock;
  dataDir: string;
  leastFreeBytes: number;
  certificateEndsAt(): Date | null;
}

/** Looks at everything that keeps the product going. */
export async function readHealth(deps: HealthDeps): Promise<HealthCheck[]> {
  const looks: Record<(typeof HEALTH_CHECKS)[number], () => Promise<Omit<HealthCheck, 'name'>>> = {
    database: () => lookAtDatabase(deps),
    disk: () => lookAtDisk(deps),
    worker: () => lookForWorker(deps),
    sealer: () => lookAtSealer(deps),
    queues: () => lookAtQueues(deps),
    certificate: () => lookAtCertificate(deps),
  };
  return Promise.all(
    HEALTH_CHECKS.map(async (name) => ({
      name,
      ...(await looks[name]().catch(() => ({ state: 'poor' as const, measured: null }))),
    })),
  );
}

type Look = Omit<HealthCheck, 'name'>;

function judge(isGood: boolean, measured: number | null): Look {
  return { state: isGood ? 'good' : 'poor', measured };
}

async function lookAtDatabase({ db }: HealthDeps): Promise<Look> {
  const before = performance.now();
  await db.ping();
  return judge(true, Math.round(performance.now() - before));
}

async function lookAtDisk({ dataDir, leastFreeBytes }: HealthDeps): Promise<Look> {
  const { freeBytes } = await readDisk(dataDir);
  return judge(freeBytes >= 2 * leastFreeBytes, freeBytes);
}

async function lookForWorker({ db, clock }: HealthDeps): Promise<Look> {
  const now = clock.now();
  const workers = (await db.untenanted(listNodes)).filter(({ roles }) => roles.includes('worker'));
  if (workers.length === 0) return judge(false, null);
  const since = now.getTime() - Math.max(...workers.map(({ seenAt }) => seenAt.getTime()));
  const isThere = workers.some((worker) => isHeard(worker, now));
  return judge(isThere, Math.max(0, Math.round(since / 1000)));
}

async function lookAtSealer({ sealerDb, clock }: HealthDeps): Promise<Look> {
  const { rows } = await sealerDb.untenanted((tx) =>
    sql<{ oldest: Date | null }>`
      select min(at) as oldest from audit_log where xact >= (select sealed_below from audit_watermark)`.execute(tx),
  );
  const oldest = rows[0]?.oldest ?? null;
  const seconds = oldest === null ? 0 : Math.max(0, Math.round((clock.now().getTime() - oldest.getTime()) / 1000));
  return judge(seconds <= SEALER_LATE_SECONDS, seconds);
}

async function lookAtQueues(deps: HealthDeps): Promise<Look> {
  const late = (await readQueues(deps)).reduce((sum, queue) => sum + queue.late, 0);
  return judge(late === 0, late);
}

async function lookAtCertificate({ certificateEndsAt, clock }: HealthDeps): Promise<Look> {
  const endsAt = certificateEndsAt();
  if (endsAt === null) return { state: 'unknown', measured: null };
  const days = Math.floor((endsAt.getTime() - clock.now().getTime()) / DAY_MS);
  return judge(days >= CERTIFICATE_SOON_DAYS, days);
}
