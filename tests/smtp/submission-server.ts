import type { TestContext } from 'node:test';
import { createKeyCache, type KeyCache } from '../../src/accounts/index.ts';
import { createSenderRule } from '../../src/email/domains/sender-rule.ts';
import { createAcceptMessages } from '../../src/email/submission/accept.ts';
import type { Message } from '../../src/email/submission/message.ts';
import { type SubmissionDeps, startSubmission } from '../../src/email/submission/smtp/server.ts';
import { createIdempotency } from '../../src/platform/http/idempotency.ts';
import { createBackpressure } from '../../src/platform/http/limits/backpressure.ts';
import { createRateLimits } from '../../src/platform/http/limits/rate-limits.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { type Certificate, createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { type Client, connectTo } from '../support/dialogue.ts';

const NAME = 'smtp.example.test';
let certificate: Promise<Certificate> | undefined;

/** The SMTP door on a product of its own. */
export interface Door {
  app: TestApp;
  clock: MovableClock;
  customer: TestCustomer;
  port: number;
  tlsPort: number;
  /** What was accepted, as it was handed over. */
  accepted: Message[];
  /** How long refusals had to wait. */
  waits: number[];
  backpressure: SubmissionDeps['backpressure'];
  keys: KeyCache;
  stop(): Promise<void>;
  /** A client under TLS that has said EHLO. */
  greeted(): Promise<Client>;
  /** A client that has signed in. */
  signedIn(key?: string): Promise<Client>;
}

type Changes = Partial<SubmissionDeps> & { freeBytes?: () => Promise<number> };

const onAccepted = () => {};

/** Starts the door with the parts that the product has; a test may replace some. */
export async function startDoor(t: TestContext, changes: Changes = {}): Promise<Door> {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { db, vault, blobs, log, config } = app.installation;
  const accepted: Message[] = [];
  const waits: number[] = [];
  const idempotency = createIdempotency({ db, vault, clock });
  const senderRule = createSenderRule({ db, clock, mode: 'sandbox' });
  const acceptMessages = createAcceptMessages({ db, vault, blobs, idempotency, clock, senderRule, log, onAccepted });
  const { freeBytes = async () => Number.MAX_SAFE_INTEGER, ...replaced } = changes;
  const backpressure = createBackpressure({ folder: config.dataDir, leastFreeBytes: 1, log, freeBytes });
  const keys = createKeyCache({ db, clock, log });
  const server = await startSubmission({
    acceptMessages: async (act, sender, messages, once) => {
      const result = await acceptMessages(act, sender, messages, once);
      accepted.push(...messages);
      return result;
    },
    authenticator: keys,
    idempotency,
    rateLimits: createRateLimits({ db, clock, log }),
    limits: { key: { count: 1_000_000, windowSeconds: 60 } },
    backpressure,
    pseudonymOf: (address) => `pseudonym of ${address}`,
    certificate: {
      current: await (certificate ??= createSelfSigned(NAME, new Date())),
      endsAt: clock.now(),
      follow: () => {},
      look: async () => {},
    },
    host: '127.0.0.1',
    port: 0,
    tlsPort: 0,
    name: NAME,
    applyTemplate: async (_customerId, message) => message,
    clock,
    log,
    metrics: createMetrics(),
    wait: async (ms) => void waits.push(ms),
    ...replaced,
  });
  t.after(() => server.stop());
  const customer = await app.createCustomer();
  const clients: Client[] = [];
  t.after(() => clients.forEach((client) => client.close()));

  const door: Door = {
    app,
    clock,
    customer,
    ...server,
    accepted,
    waits,
    backpressure,
    keys,
    async greeted() {
      const client = await connectTo(server.tlsPort, { secure: true });
      clients.push(client);
      await client.play('S: 220 smtp.example.test ESMTP\nC: EHLO client.test\nS: 250-smtp.example.test');
      return client;
    },
    async signedIn(key = customer.key) {
      const client = await door.greeted();
      await client.play(`C: AUTH PLAIN ${plain('apikey', key)}\nS: 235 2.7.0`);
      return client;
    },
  };
  return door;
}

/** The answer of AUTH PLAIN. */
export function plain(username: string, password: string, actFor = ''): string {
  return base64(`${actFor}\0${username}\0${password}`);
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A small message whose From header is right. */
export const MESSAGE = 'From: a@sender.test\r\nTo: b@example.com\r\nSubject: hello\r\n\r\nbody\r\n';

/** Sends one message on a client that has signed in; answers with the reply to its data. */
export async function sendData(client: Client, data: string | Buffer, recipients = ['b@example.com']): Promise<string> {
  await client.play('C: MAIL FROM:<a@sender.test>\nS: 250 2.1.0');
  for (const recipient of recipients) await client.play(`C: RCPT TO:<${recipient}>\nS: 250 2.1.5`);
  await client.play('C: DATA\nS: 354');
  client.send(data);
  client.send('.\r\n');
  return (await client.reply()) ?? '';
}
