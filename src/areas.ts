import { createPasswordQueue } from './accounts/index.ts';
import { createDashboardArea } from './dashboard/index.ts';
import { createEmail, createExplainRoute } from './email/index.ts';
import { createForms, createStampTime, submissionsOf } from './forms/index.ts';
import type { Installation } from './installation.ts';
import { createMarketingArea } from './marketing/index.ts';
import type { Parts } from './parts.ts';
import { createIncomingBlobs } from './platform/blob/sealing/incoming-blobs.ts';
import type { Area } from './platform/http/area.ts';
import { readAuthorities } from './platform/net/read-authorities.ts';
import { version } from './version.ts';

/** What is called when there is something new to do, on nodes that do it. */
interface Wake {
  onAccepted(): void;
  onSend(): void;
  onDrip(): void;
}

export type Areas = ReturnType<typeof createAreas>;

/** Builds the areas of the API, each with what it needs of those before it. */
export function createAreas(installation: Installation, parts: Parts, { onAccepted, onSend, onDrip }: Wake) {
  const { config, db, vault, blobs, blobStore, clock, log } = installation;
  const { metrics, workerDb, sealerDb, reportsDb, signingKey, installationKeys, requireOwn, senderRule } = parts;
  const { sessions, idempotency, rateLimits, pseudonymOf } = parts.admission;
  const { publicUrl, systemFrom } = config;
  const stored = { db, vault, blobs, clock };
  const beginBlob = createIncomingBlobs({ clock, threads: parts.threads });
  const email = createEmail({
    ...stored,
    idempotency,
    requireOwn,
    targetRules: parts.targetRules,
    senderRule,
    dns: parts.domainDns,
    returnPathDomain: config.returnPathDomain,
    explainRoute: createExplainRoute({ db, clock, log }, parts.onward),
    signingKey,
    log,
    onAccepted,
  });
  const { acceptMessages } = email;
  const forms = createForms({
    ...stored,
    blobStore,
    idempotency,
    rateLimits,
    signingKey,
    installationKeys,
    onAccepted,
    requireOwn,
    mayList: parts.mayList,
    formRate: config.limits.form,
    beginBlob,
    systemFrom,
    loadSealKey: parts.loadSealKey,
    stampTime: createStampTime({ url: config.tsaUrl, resolve: parts.resolve, ...readAuthorities(config) }),
    publicUrl,
    pseudonymOf,
    submissions: metrics.submissions,
    suspicions: metrics.suspicions,
  });
  const marketing = createMarketingArea({
    ...stored,
    reportsDb,
    blobStore,
    beginBlob,
    idempotency,
    requireOwn,
    targetRules: parts.targetRules,
    acceptMessages,
    senderRule,
    submissionsOf,
    signingKey,
    onSend,
    onDrip,
  });
  const dashboard = createDashboardArea({
    ...stored,
    log,
    sessions,
    passwords: createPasswordQueue(),
    rateLimits,
    idempotency,
    installationKeys,
    pseudonymOf,
    requireOwn,
    acceptMessages,
    onAccepted,
    systemFrom,
    publicUrl,
    delivery: config.delivery,
    version,
    workerDb,
    sealerDb,
    dataDir: config.dataDir,
    leastFreeBytes: config.limits.freeDiskBytes,
    certificateEndsAt: parts.certificates.endsAt,
    retention: config.retention,
  });
  const areas: [Area, ...Area[]] = [...email.areas, forms.area, marketing, dashboard];
  return { areas, email, forms };
}
