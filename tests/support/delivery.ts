import type { TestContext } from 'node:test';
import { INSTALLATION } from '../../src/accounts/index.ts';
import type { SecureChannel } from '../../src/email/delivery/dialogue/connect.ts';
import type { Outcome } from '../../src/email/delivery/dialogue/send.ts';
import { createEngine, type Engine, type Way } from '../../src/email/delivery/engine.ts';
import type { FindDestination } from '../../src/email/delivery/onward/destination.ts';
import { type Lease, leaseDue } from '../../src/email/delivery/queue/lease.ts';
import type { Settlement } from '../../src/email/delivery/queue/settle.ts';
import { Site } from '../../src/email/delivery/sites/site.ts';
import { createLinkTokens, createReturnPaths, createSigners } from '../../src/email/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { TestApp } from './app.ts';

/** What a worker needs that delivers for an app which does not do so by itself. */
export async function createWorker(t: TestContext, app: TestApp) {
  const { ownerUrl, log, vault, blobs, clock, config } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 4);
  t.after(() => db.close());
  const tokens = createLinkTokens(await vault.of(INSTALLATION));
  const shared = { db, vault, blobs, clock, log, metrics: createMetrics(), tokens, publicUrl: config.publicUrl };
  return {
    ...shared,
    signerFor: createSigners({ ...shared, mode: config.delivery, systemFrom: config.systemFrom }),
    returnPathDomainOf: createReturnPaths({ ...shared, ...config }),
  };
}

export type Worker = Awaited<ReturnType<typeof createWorker>>;

/** Delivery by hand, all of it one way. */
export function createTestEngine(worker: Worker, find: FindDestination): Engine {
  const way: Way = { find, onVerified: () => {}, warmUp: null, halt: () => {}, close: () => {} };
  return createEngine(worker, { live: way, test: way });
}

/** Delivers a batch of what is due and answers how many recipients that were. */
export async function deliverDue(worker: Worker, find: FindDestination): Promise<number> {
  const engine = createTestEngine(worker, find);
  const count = await engine.turn();
  await engine.settled();
  return count;
}

/** Takes what is due, as a worker does. */
export async function takeDue(deps: { db: Database; clock: Worker['clock'] }, most = 100): Promise<Lease[]> {
  return (await leaseDue(deps, { most, full: [], after: 0 })).leases;
}

/** What came of a lease, in the words of nobody in particular. */
export function settlementOf(lease: Lease, outcome: Outcome, address: string | null): Settlement {
  return { lease, outcome, address, met: null, notice: false };
}

const JUDGEMENT = {
  verified: true,
  policy: 'pkix',
  basis: null,
  reason: null,
  mayNotice: true,
  mayWaive: true,
} as const;

function trust() {
  return JUDGEMENT;
}

/** The way to a peer that answers each command as it is told to, and remembers for whom it was asked to take which mail. */
export function createPeer(answerTo: (command: string) => string): {
  find: FindDestination;
  asked: string[];
  given: string[];
} {
  const asked: string[] = [];
  const given: string[] = [];
  const waiting: string[] = [];
  const channel = {
    facts: {
      host: 'mx.test',
      address: '192.0.2.1',
      tls: { version: 'TLSv1.3', cipher: 'x' },
      certificate: { chain: [], hash: Buffer.alloc(32), chainTrusted: true, chainError: null, namesHost: true },
      extensions: new Map<string, string>(),
    },
    carried: 0,
    usable: false,
    isFlushed: true,
    write(bytes: string | Buffer) {
      const line = bytes.toString().split('\r\n')[0] as string;
      if (line.startsWith('RCPT')) asked.push(/<(.*)>/.exec(line)?.[1] as string);
      if (typeof bytes !== 'string') given.push(bytes.toString());
      waiting.push(typeof bytes === 'string' && /^(MAIL|RCPT|DATA|RSET)/.test(line) ? line : 'message');
    },
    async reply() {
      const text = answerTo(waiting.shift() as string);
      return { code: Number(text.slice(0, 3)), lines: [text.slice(4)] };
    },
    close() {},
  } as unknown as SecureChannel;
  const site = new Site({ first: 1, most: 1 });
  return {
    find: async () => ({ site, judge: trust, connect: async () => ({ channel, judgement: JUDGEMENT }) }),
    asked,
    given,
  };
}

/** A peer that takes everything. */
export function willing(command: string): string {
  return command === 'DATA' ? '354 go on' : '250 2.0.0 fine';
}
