import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  createKeyCache,
  createPasswordQueue,
  createSealer,
  createSessions,
  INSTALLATION,
  loadSigningKey,
} from './accounts/index.ts';
import { addDashboardPages, createDashboardArea } from './dashboard/index.ts';
import {
  addPickupPages,
  addTlsReportPage,
  addTrackingPages,
  askAnew,
  type BounceServer,
  createEmail,
  createExplainRoute,
  createLinkTokens,
  createSenderRule,
  loadCertificate,
  messageBounces,
  messageLinks,
  onwardOf,
  ownNamesOf,
  type SubmissionServer,
  startBounces,
  startSubmission,
} from './email/index.ts';
import { addFormDoors, createForms, createStampTime, openSealKey, submissionsOf } from './forms/index.ts';
import type { Installation } from './installation.ts';
import { consentLinks, createMarketingArea, mailingBounces, mailingLinks } from './marketing/index.ts';
import type { Overrides } from './overrides.ts';
import { createSealedBlobs } from './platform/blob/sealed-blobs.ts';
import { createIncomingBlobs } from './platform/blob/sealing/incoming-blobs.ts';
import { startSealingThreads } from './platform/blob/sealing/threads.ts';
import { openDatabase } from './platform/db/database.ts';
import type { Area } from './platform/http/area.ts';
import { createBackpressure } from './platform/http/backpressure.ts';
import { prepareClose } from './platform/http/close-server.ts';
import { createIdempotency } from './platform/http/idempotency.ts';
import { refuseSlow } from './platform/http/malformed-requests.ts';
import { requireOwn } from './platform/http/ownership.ts';
import { createPace } from './platform/http/pace.ts';
import { createPseudonyms } from './platform/http/pseudonyms.ts';
import { createRateLimits } from './platform/http/rate-limits.ts';
import { serveMetrics } from './platform/http/serve-metrics.ts';
import { createServer } from './platform/http/server.ts';
import { every } from './platform/lifecycle.ts';
import { createMetrics } from './platform/metrics.ts';
import { createDialler } from './platform/net/dial.ts';
import { readAuthorities } from './platform/net/read-authorities.ts';
import { resolveWith } from './platform/net/resolve-addresses.ts';
import { createNode, NODE_BEAT_MS } from './platform/nodes.ts';
import { version } from './version.ts';
import { startWorker, type Worker } from './worker.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const WORKER_CONNECTIONS = 10;
const CLOSING_MS = 15 * SECOND;

export interface App {
  server: FastifyInstance;
  /** The SMTP door, once it is open. */
  readonly submission: SubmissionServer | undefined;
  /** The door for returned mail, once it is open. */
  readonly bounces: BounceServer | undefined;
  /** Listens and begins to work, in the roles that the settings name. */
  start(): Promise<void>;
  /** Finishes what is under way and stops. */
  stop(): Promise<void>;
}

/** Builds every component of the product by hand, in the order in which they need each other. */
export async function createApp(installation: Installation, overrides: Overrides = {}): Promise<App> {
  const { config, ownerUrl, db, vault, blobs, blobStore, clock, log } = installation;
  const metrics = createMetrics();
  const workerDb = openDatabase({ ownerUrl, log }, 'worker', WORKER_CONNECTIONS);
  const sealerDb = openDatabase({ ownerUrl, log }, 'sealer', 1);
  const workerBlobs = createSealedBlobs({ db: workerDb, store: blobStore, vault, clock });

  const authenticator = createKeyCache({ db, clock, log });
  const sessions = createSessions({ db, clock, log });
  const rateLimits = createRateLimits({ db, clock, log });
  const idempotency = createIdempotency({ db, vault, clock });
  const backpressure = createBackpressure({
    folder: config.dataDir,
    leastFreeBytes: config.limits.freeDiskBytes,
    log,
    ...(overrides.freeBytes === undefined ? {} : { freeBytes: overrides.freeBytes }),
  });
  const signingKey = await loadSigningKey({ db, vault });
  const checkpointFile = checkpointFileOf(config.dataDir);
  const sealer = createSealer({ db: sealerDb, signingKey, checkpointFile, clock, metrics });

  const installationKeys = await vault.of(INSTALLATION);
  const pseudonymOf = createPseudonyms(installationKeys);
  const owns = overrides.requireOwn ?? requireOwn;
  const mayList = overrides.mayList ?? ((customerId, wanted) => customerId === wanted);
  // In the sandbox a receiver of webhooks may run on this machine.
  const targetRules = { allowLoopback: config.delivery === 'sandbox', ownNames: [new URL(config.publicUrl).hostname] };
  const threads = startSealingThreads({ blobUrl: config.blobUrl, clamd: config.clamd, log });
  const beginBlob = createIncomingBlobs({ clock, threads });
  let worker: Worker | undefined;
  const onAccepted = () => worker?.delivery.nudge();
  const senderRule = createSenderRule({ db, clock, mode: config.delivery });
  const domainDns = overrides.domainDns ?? askAnew(config.dnsServers, clock);
  const onward = onwardOf(config, { clock, ...overrides });
  const email = createEmail({
    db,
    vault,
    blobs,
    idempotency,
    requireOwn: owns,
    targetRules,
    senderRule,
    dns: domainDns,
    returnPathDomain: config.returnPathDomain,
    explainRoute: createExplainRoute({ db, clock, log }, onward),
    signingKey,
    clock,
    onAccepted,
  });
  const loadSealKey = openSealKey({ db, vault, clock, files: config.seal, name: config.heloName });
  const resolve = resolveWith(config.dnsServers);
  const stampTime = createStampTime({ url: config.tsaUrl, resolve, ...readAuthorities(config) });
  const forms = createForms({
    db,
    vault,
    blobs,
    blobStore,
    clock,
    idempotency,
    rateLimits,
    signingKey,
    installationKeys,
    onAccepted,
    requireOwn: owns,
    mayList,
    formRate: config.limits.form,
    beginBlob,
    systemFrom: config.systemFrom,
    loadSealKey,
    stampTime,
    publicUrl: config.publicUrl,
    pseudonymOf,
    acceptMessages: email.acceptMessages,
    suspicions: metrics.suspicions,
  });
  const areas: [Area, ...Area[]] = [
    ...email.areas,
    forms.area,
    createMarketingArea({
      db,
      vault,
      blobs,
      blobStore,
      beginBlob,
      clock,
      idempotency,
      requireOwn: owns,
      targetRules,
      acceptMessages: email.acceptMessages,
      senderRule,
      submissionsOf,
      onSend: () => worker?.mailings.nudge(),
      onDrip: () => worker?.drips.nudge(),
    }),
    createDashboardArea({
      db,
      vault,
      blobs,
      clock,
      log,
      sessions,
      passwords: createPasswordQueue(),
      rateLimits,
      installationKeys,
      pseudonymOf,
      requireOwn: owns,
      acceptMessages: email.acceptMessages,
      systemFrom: config.systemFrom,
      publicUrl: config.publicUrl,
      delivery: config.delivery,
      version,
      workerDb,
      sealerDb,
      dataDir: config.dataDir,
      leastFreeBytes: config.limits.freeDiskBytes,
      certFile: config.tls?.certFile ?? null,
      retention: config.retention,
    }),
  ];

  const tokens = createLinkTokens(installationKeys);
  const ownNames = ownNamesOf(config);
  const admission = {
    authenticator,
    sessions,
    publicUrl: config.publicUrl,
    idempotency,
    rateLimits,
    backpressure,
    limits: config.limits,
    pseudonymOf,
  };
  const pace = createPace(clock, (request) => refuseSlow(clock, request));
  const server = await createServer({
    areas,
    pace,
    ...admission,
    clock,
    log,
    metrics,
    tls: config.tls,
    trustedProxies: config.trustedProxies,
    version,
    serveMetrics: config.metricsPort === null,
    checkReady: () => db.ping(),
  });

  addDashboardPages(server);
  addTlsReportPage(server, { ...admission, db, clock, ownNames });
  addTrackingPages(server, {
    ...admission,
    tokens,
    handlers: {
      ...messageLinks({ db, vault, clock }),
      ...mailingLinks({ db, vault, clock }),
      ...consentLinks({ db, vault, clock, tokens }),
    },
  });

  const { acceptMessages, applyTemplate } = email;
  const { systemFrom, publicUrl } = config;
  addPickupPages(server, { ...admission, db, vault, blobs, clock, log, acceptMessages, systemFrom, publicUrl });

  addFormDoors(server, { ...admission, ...forms.pages, loadSealKey, log });

  const closeServer = prepareClose(server, CLOSING_MS);
  let submission: SubmissionServer | undefined;
  let bounces: BounceServer | undefined;
  const stops: (() => Promise<void>)[] = [];
  const repeat = (ms: number, name: string, work: () => Promise<unknown>) => stops.push(every(ms, work, { log, name }));

  async function beginWork(): Promise<void> {
    worker = await startWorker(installation, {
      db: workerDb,
      blobs: workerBlobs,
      sealerDb,
      sealer,
      signingKey,
      checkpointFile,
      metrics,
      tokens,
      dial: createDialler({ ...targetRules, resolve, ...readAuthorities(config) }),
      onward,
      acceptMessages,
      domainDns,
      overrides,
      repeat,
    });
    stops.push(...worker.stops);
  }

  async function startAdmission(): Promise<void> {
    await rateLimits.load();
    await backpressure.look();
    repeat(SECOND, 'rate limits', () => rateLimits.settle());
    repeat(SECOND, 'api keys', () => authenticator.refresh());
    repeat(SECOND, 'sessions', () => sessions.refresh());
    repeat(SECOND, 'disk', () => backpressure.look());
    repeat(5 * SECOND, 'slow bodies', async () => pace.look());
    repeat(MINUTE, 'last use of keys', () => authenticator.writeLastUsed());
  }

  async function startSmtp(): Promise<void> {
    const { tls, dataDir, heloName: name, smtp } = config;
    const certificate = await loadCertificate({ tls, dataDir, name, clock });
    const door = { ...admission, ...smtp, acceptMessages, applyTemplate, certificate, name, clock, log };
    submission = await startSubmission(door);
    stops.push(submission.stop);
    const { bouncePort, returnPathDomain } = config;
    if (bouncePort === null) return;
    const handlers = { ...messageBounces({ db, vault, clock }), ...mailingBounces({ db, vault, clock }) };
    bounces = await startBounces({ ...door, db, tokens, handlers, ownNames, port: bouncePort, returnPathDomain });
    stops.push(bounces.stop);
  }

  async function startHttp(): Promise<void> {
    await server.listen({ host: config.http.host, port: config.http.port });
    if (config.metricsPort !== null) stops.push(await serveMetrics(metrics, config.metricsPort));
  }

  return {
    server,
    get submission() {
      return submission;
    },
    get bounces() {
      return bounces;
    },
    async start() {
      const node = createNode({ db, clock }, { roles: config.roles, version });
      await node.beat();
      stops.push(node.leave);
      repeat(NODE_BEAT_MS, 'node', node.beat);
      if (config.roles.has('worker')) await beginWork();
      if (config.roles.has('http') || config.roles.has('smtp')) await startAdmission();
      if (config.roles.has('smtp')) await startSmtp();
      if (config.roles.has('http')) await startHttp();
    },
    async stop() {
      worker?.delivery.halt();
      await closeServer();
      for (const stop of stops.toReversed()) await stop();
      if (config.roles.has('http') || config.roles.has('smtp')) {
        await rateLimits.settle();
        await authenticator.writeLastUsed();
      }
      if (config.roles.has('worker')) {
        await sealer.seal();
        await sealer.checkpoint();
      }
      await threads.stop();
      await workerDb.close();
      await sealerDb.close();
    },
  };
}

/** Where checkpoints of the audit log go, outside the database. */
export function checkpointFileOf(dataDir: string): string {
  return join(dataDir, 'audit', 'checkpoints.log');
}
