import { createKeyCache, createSealer, createSessions, INSTALLATION, loadSigningKey } from './accounts/index.ts';
import { openCertificates } from './certificates.ts';
import { askAnew, createLinkTokens, createSenderRule, onwardOf, ownNamesOf, targetRulesOf } from './email/index.ts';
import { openSealKey } from './forms/index.ts';
import { checkpointFileOf, type Installation } from './installation.ts';
import type { Overrides } from './overrides.ts';
import { startSealingThreads } from './platform/blob/sealing/threads.ts';
import { SEALER_CONNECTIONS, WORKER_CONNECTIONS } from './platform/db/connections.ts';
import { openDatabase } from './platform/db/database.ts';
import { createIdempotency } from './platform/http/idempotency.ts';
import { createBackpressure } from './platform/http/limits/backpressure.ts';
import { createRateLimits } from './platform/http/limits/rate-limits.ts';
import { createOperatorsDoor } from './platform/http/operators-door.ts';
import { requireOwn } from './platform/http/ownership.ts';
import { createPseudonyms } from './platform/http/pseudonyms.ts';
import { createMetrics } from './platform/metrics.ts';
import { resolveWith } from './platform/net/resolve-addresses.ts';

const REPORT_CONNECTIONS = 4;

/** What areas, pages, doors and worker have in common. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens what a server stands on beside its installation, in the order in which the parts need each other. */
export async function openParts(installation: Installation, overrides: Overrides) {
  const { config, db, vault, blobStore, clock, log } = installation;
  const metrics = createMetrics();
  const workerDb = openDatabase(installation, 'worker', WORKER_CONNECTIONS);
  const sealerDb = openDatabase(installation, 'sealer', SEALER_CONNECTIONS);
  const { reportsUrl } = config;
  const reportsDb = reportsUrl === null ? db : openDatabase({ ownerUrl: reportsUrl, log }, 'app', REPORT_CONNECTIONS);

  const rateLimits = createRateLimits({ db, clock, log });
  const backpressure = createBackpressure({
    folder: config.dataDir,
    leastFreeBytes: config.limits.freeDiskBytes,
    log,
    ...(overrides.freeBytes === undefined ? {} : { freeBytes: overrides.freeBytes }),
  });
  const signingKey = await loadSigningKey({ db, vault });
  const checkpointFile = checkpointFileOf(config.dataDir);
  const installationKeys = await vault.of(INSTALLATION);
  const threads = startSealingThreads({
    blobUrl: config.blobUrl,
    clamd: config.clamd,
    log,
    onScanned: (outcome) => metrics.fileScans.inc({ outcome }),
    onStoreFailed: () => blobStore.failures.note('write'),
  });
  const resolve = resolveWith(config.dnsServers);
  const onDays = (days: number) => metrics.certificateDays.set(days);
  return {
    metrics,
    workerDb,
    sealerDb,
    reportsDb,
    admission: {
      authenticator: createKeyCache({ db, clock, log }),
      sessions: createSessions({ db, clock, log }),
      operatorsDoor: createOperatorsDoor(config.operators),
      publicUrl: config.publicUrl,
      idempotency: createIdempotency({ db, vault, clock }),
      rateLimits,
      backpressure,
      limits: config.limits,
      pseudonymOf: createPseudonyms(installationKeys),
    },
    signingKey,
    checkpointFile,
    sealer: createSealer({ db: sealerDb, signingKey, checkpointFile, clock, metrics }),
    installationKeys,
    tokens: createLinkTokens(installationKeys),
    requireOwn: overrides.requireOwn ?? requireOwn,
    mayList: overrides.mayList ?? ((customerId: number, wanted: number) => customerId === wanted),
    targetRules: targetRulesOf(config),
    threads,
    senderRule: createSenderRule({ db, clock, mode: config.delivery }),
    domainDns: overrides.domainDns ?? askAnew(config.dnsServers, clock),
    onward: onwardOf(config, { clock, ...overrides }),
    ownNames: ownNamesOf(config),
    resolve,
    loadSealKey: openSealKey({ db, vault, clock, files: config.seal, name: config.heloName }),
    certificates: await openCertificates(installation, { resolve, onDays }),
  };
}
