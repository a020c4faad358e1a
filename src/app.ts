import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import {
  createKeyCache,
  createPasswordQueue,
  createSealer,
  createSessions,
  INSTALLATION,
  loadSigningKey,
} from './accounts/index.ts';
import { openCertificates } from './certificates.ts';
import { addDashboardPages, createDashboardArea } from './dashboard/index.ts';
import {
  addPickupPages,
  addTlsReportPage,
  addTrackingPages,
  askAnew,
  createEmail,
  createExplainRoute,
  createLinkTokens,
  createSenderRule,
  messageLinks,
  onwardOf,
  ownNamesOf,
} from './email/index.ts';
import { addFormDoors, createForms, createStampTime, openSealKey, submissionsOf } from './forms/index.ts';
import { checkpointFileOf, type Installation } from './installation.ts';
import { consentLinks, createMarketingArea, mailingLinks } from './marketing/index.ts';
import { watchInstallation } from './operations/watch/index.ts';
import type { Overrides } from './overrides.ts';
import { createSealedBlobs } from './platform/blob/sealed-blobs.ts';
import { createIncomingBlobs } from './platform/blob/sealing/incoming-blobs.ts';
import { startSealingThreads } from './platform/blob/sealing/threads.ts';
import { SEALER_CONNECTIONS, WORKER_CONNECTIONS } from './platform/db/connections.ts';
import { openDatabase } from './platform/db/database.ts';
import { AppError } from './platform/errors.ts';
import type { Area } from './platform/http/area.ts';
import { prepareClose } from './platform/http/close-server.ts';
import { createIdempotency } from './platform/http/idempotency.ts';
import { createBackpressure } from './platform/http/limits/backpressure.ts';
import { createPace } from './platform/http/limits/pace.ts';
import { createRateLimits } from './platform/http/limits/rate-limits.ts';
import { createTurns } from './platform/http/limits/turns.ts';
import { refuseSlow } from './platform/http/malformed-requests.ts';
import { createOperatorsDoor } from './platform/http/operators-door.ts';
import { requireOwn } from './platform/http/ownership.ts';
import { addSecurityContact } from './platform/http/pages/security-contact.ts';
import { createPseudonyms } from './platform/http/pseudonyms.ts';
import { serveMetrics } from './platform/http/serve-metrics.ts';
import { createServer } from './platform/http/server.ts';
import { every } from './platform/lifecycle.ts';
import { createMetrics } from './platform/metrics.ts';
import { createDialler } from './platform/net/dial.ts';
import { readAuthorities } from './platform/net/read-authorities.ts';
import { resolveWith } from './platform/net/resolve-addresses.ts';
import { createNode, NODE_BEAT_MS } from './platform/nodes.ts';
import { openSmtpDoors, type SmtpDoors } from './smtp-doors.ts';
import { version } from './version.ts';
import { startWorker, type Worker } from './worker.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const REPORT_CONNECTIONS = 4;
const CLOSING_MS = 15 * SECOND;

export interface App {
  server: FastifyInstance;
  /** The doors for mail, once they are open. */
  readonly smtp: SmtpDoors | undefined;
  /** The port of the operators' own door, once it is open. */
  readonly operatorPort: number | null;
  /** Listens and begins to work, in the roles that the settings name. */
  start(): Promise<void>;
  /** Finishes what is under way and stops. */
  stop(): Promise<void>;
}

/** Builds every component of the product by hand, in the order in which they need each other. */
export async function createApp(installation: Installation, overrides: Overrides = {}): Promise<App> {
  const { config, db, vault, blobs, blobStore, clock, log } = installation;
  const metrics = createMetrics();
  const workerDb = openDatabase(installation, 'worker', WORKER_CONNECTIONS);
  const sealerDb = openDatabase(installation, 'sealer', SEALER_CONNECTIONS);
  const { reportsUrl } = config;
  const reportsDb = reportsUrl === null ? db : openDatabase({ ownerUrl: reportsUrl, log }, 'app', REPORT_CONNECTIONS);
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
  const threads = startSealingThreads({
    blobUrl: config.blobUrl,
    clamd: config.clamd,
    log,
    onScanned: (outcome) => metrics.fileScans.inc({ outcome }),
    onStoreFailed: () => blobStore.failures.note('write'),
  });
  watchInstallation(installation, { registry: metrics.registry, workerDb, sealerDb, backpressure, version });
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
    log,
    onAccepted,
  });
  const loadSealKey = openSealKey({ db, vault, clock, files: config.seal, name: config.heloName });
  const resolve = resolveWith(config.dnsServers);
  const stampTime = createStampTime({ url: config.tsaUrl, resolve, ...readAuthorities(config) });
  const onDays = (days: number) => metrics.certificateDays.set(days);
  const certificates = await openCertificates(installation, { resolve, onDays });
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
    submissions: metrics.submissions,
    suspicions: metrics.suspicions,
  });
  const areas: [Area, ...Area[]] = [
    ...email.areas,
    forms.area,
    createMarketingArea({
      db,
      reportsDb,
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
      signingKey,
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
      onAccepted,
      systemFrom: config.systemFrom,
      publicUrl: config.publicUrl,
      delivery: config.delivery,
      version,
      workerDb,
      sealerDb,
      dataDir: config.dataDir,
      leastFreeBytes: config.limits.freeDiskBytes,
      certificateEndsAt: certificates.endsAt,
      retention: config.retention,
    }),
  ];

  const tokens = createLinkTokens(installationKeys);
  const ownNames = ownNamesOf(config);
  const operatorsDoor = createOperatorsDoor(config.operators);
  const admission = {
    authenticator,
    sessions,
    operatorsDoor,
    publicUrl: config.publicUrl,
    idempotency,
    rateLimits,
    backpressure,
    limits: config.limits,
    pseudonymOf,
  };
  let started = false;
  let stopping = false;
  const checkReady = async () => {
    if (!started || stopping) throw new AppError('unavailable', stopping ? 'Stopping' : 'Starting');
    await db.ping();
  };
  const pace = createPace(clock, (request) => refuseSlow(clock, request));
  const turns = createTurns();
  const server = await createServer({
    areas,
    pace,
    turns,
    ...admission,
    clock,
    log,
    metrics,
    certificate: certificates.https,
    trustedProxies: config.trustedProxies,
    version,
    serveMetrics: config.metrics === null,
    checkReady,
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
  if (config.securityContact !== null)
    addSecurityContact(server, { contact: config.securityContact, publicUrl, clock });
  addPickupPages(server, { ...admission, db, vault, blobs, clock, log, acceptMessages, systemFrom, publicUrl });

  addFormDoors(server, { ...admission, ...forms.pages, loadSealKey, log });

  const closeServer = prepareClose(server, CLOSING_MS);
  let smtp: SmtpDoors | undefined;
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
      idempotency,
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
    repeat(SECOND / 10, 'turns', async () => turns.look());
    repeat(5 * SECOND, 'slow bodies', async () => pace.look());
    repeat(MINUTE, 'last use of keys', () => authenticator.writeLastUsed());
  }

  async function startSmtp(): Promise<void> {
    const { smtp: certificate } = certificates;
    if (certificate === null) return;
    const door = { ...admission, acceptMessages, applyTemplate, certificate, tokens, ownNames, metrics };
    smtp = await openSmtpDoors(installation, door);
    stops.push(smtp.stop);
  }

  return {
    server,
    get smtp() {
      return smtp;
    },
    get operatorPort() {
      return operatorsDoor.port;
    },
    async start() {
      const node = createNode({ db, clock }, { roles: config.roles, version });
      await node.beat();
      stops.push(node.leave);
      repeat(NODE_BEAT_MS, 'node', node.beat);
      if (config.metrics !== null) stops.push(await serveMetrics({ ...metrics, checkReady }, config.metrics));
      if (config.roles.has('worker')) await beginWork();
      if (config.roles.has('http') || config.roles.has('smtp')) await startAdmission();
      if (config.roles.has('smtp')) await startSmtp();
      if (config.roles.has('http')) {
        await server.listen({ host: config.http.host, port: config.http.port });
        stops.push(await operatorsDoor.open(server, certificates.https));
      }
      if (config.roles.has('http') || config.roles.has('smtp')) stops.push(...(await certificates.follow(repeat)));
      started = true;
    },
    async stop() {
      stopping = true;
      worker?.mailings.halt();
      worker?.delivery.halt();
      if (config.roles.has('http')) await sleep(config.drainSeconds * SECOND);
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
      if (reportsDb !== db) await reportsDb.close();
    },
  };
}
