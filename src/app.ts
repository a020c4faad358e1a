import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createAreas } from './areas.ts';
import type { Installation } from './installation.ts';
import { watchInstallation } from './operations/watch/index.ts';
import type { Overrides } from './overrides.ts';
import { addPages } from './pages.ts';
import { openParts } from './parts.ts';
import { createSealedBlobs } from './platform/blob/sealed-blobs.ts';
import { AppError } from './platform/errors.ts';
import { prepareClose } from './platform/http/close-server.ts';
import { createPace } from './platform/http/limits/pace.ts';
import { createTurns } from './platform/http/limits/turns.ts';
import { refuseSlow } from './platform/http/malformed-requests.ts';
import { serveMetrics } from './platform/http/serve-metrics.ts';
import { createServer } from './platform/http/server.ts';
import { every } from './platform/lifecycle.ts';
import { createDialler } from './platform/net/dial.ts';
import { readAuthorities } from './platform/net/read-authorities.ts';
import { createNode, NODE_BEAT_MS } from './platform/nodes.ts';
import { openSmtpDoors, type SmtpDoors } from './smtp-doors.ts';
import { version } from './version.ts';
import { startWorker, type Worker } from './worker.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
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

/** Builds the product out of its parts, to be started in the roles that the settings name. */
export async function createApp(installation: Installation, overrides: Overrides = {}): Promise<App> {
  const { config, db, vault, blobStore, clock, log } = installation;
  const parts = await openParts(installation, overrides);
  const { metrics, workerDb, sealerDb, reportsDb, admission, sealer, threads, certificates, resolve } = parts;
  const { authenticator, sessions, rateLimits, backpressure, operatorsDoor } = admission;
  watchInstallation(installation, { registry: metrics.registry, workerDb, sealerDb, backpressure, version });
  let worker: Worker | undefined;
  const areas = createAreas(installation, parts, {
    onAccepted: () => worker?.delivery.nudge(),
    onSend: () => worker?.mailings.nudge(),
    onDrip: () => worker?.drips.nudge(),
  });
  let started = false;
  let stopping = false;
  const checkReady = async () => {
    if (!started || stopping) throw new AppError('unavailable', stopping ? 'Stopping' : 'Starting');
    await db.ping();
  };
  const pace = createPace(clock, (request) => refuseSlow(clock, request));
  const turns = createTurns();
  const server = await createServer({
    areas: areas.areas,
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
  addPages(server, installation, parts, areas);

  const closeServer = prepareClose(server, CLOSING_MS);
  let smtp: SmtpDoors | undefined;
  const stops: (() => Promise<void>)[] = [];
  const repeat = (ms: number, name: string, work: () => Promise<unknown>) => stops.push(every(ms, work, { log, name }));

  async function beginWork(): Promise<void> {
    worker = await startWorker(installation, {
      ...parts,
      db: workerDb,
      blobs: createSealedBlobs({ db: workerDb, store: blobStore, vault, clock }),
      dial: createDialler({ ...parts.targetRules, resolve, ...readAuthorities(config) }),
      acceptMessages: areas.email.acceptMessages,
      idempotency: admission.idempotency,
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
    const { tokens, ownNames } = parts;
    const { acceptMessages, applyTemplate } = areas.email;
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
