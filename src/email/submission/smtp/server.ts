import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Authenticator } from '../../../platform/http/access.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';
import type { Backpressure } from '../../../platform/http/limits/backpressure.ts';
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { LiveCertificate } from '../../../platform/net/live-certificate.ts';
import { openDoors } from '../../smtp-server/listen.ts';
import type { Pace } from '../../smtp-server/patience.ts';
import { Room } from '../../smtp-server/room.ts';
import type { AcceptMessages } from '../accept.ts';
import type { Message } from '../message.ts';
import { createMimeParser } from '../mime/large-mime.ts';
import type { TemplateChoice } from '../template-choice.ts';
import { Session } from './session.ts';
import { createSignInGuard } from './sign-in-guard.ts';
import type { Rate } from './submit.ts';

const MOST_PER_NETWORK = 50;
const MOST_CONNECTIONS = 2_000;
const MEMORY_FOR_MESSAGES = 512 * 2 ** 20;
const PACE: Pace = { commandMs: 300_000, dataMs: 60_000, lingerMs: 2_000 };

export interface SubmissionDeps {
  acceptMessages: AcceptMessages;
  authenticator: Authenticator;
  idempotency: Idempotency;
  rateLimits: RateLimits;
  /** The same as over HTTP: both doors count under the id of the key. */
  limits: { key: Rate };
  backpressure: Backpressure;
  /** What stands for the network of an address wherever it is kept. */
  pseudonymOf(address: string): string;
  certificate: LiveCertificate;
  host: string;
  /** The port with STARTTLS and the one with TLS from the start; 0 for any that is free. */
  port: number;
  tlsPort: number;
  /** What the server calls itself. */
  name: string;
  applyTemplate(customerId: number, message: Message, template: TemplateChoice): Promise<Message>;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'smtpSubmissions' | 'signInFailures'>;
  /** What a test may move: how long a refusal waits, and how long clients may take. */
  wait?(ms: number): Promise<void>;
  pace?: Partial<Pace> & { handshakeMs?: number };
}

export interface SubmissionServer {
  port: number;
  tlsPort: number;
  /** Ends the connections; messages under way are answered first. */
  stop(): Promise<void>;
}

/** Opens the SMTP door: messages of clients that hold a key, under TLS only. */
export async function startSubmission(deps: SubmissionDeps): Promise<SubmissionServer> {
  const mimeParser = createMimeParser();
  const sessionDeps = {
    ...deps,
    mimeParser,
    room: new Room(MEMORY_FOR_MESSAGES),
    guard: createSignInGuard(deps),
    wait: deps.wait ?? ((ms: number) => sleep(Math.max(0, ms), undefined, { ref: false })),
  };
  const doors = await openDoors({
    ...deps,
    doors: [
      { port: deps.port, secure: false },
      { port: deps.tlsPort, secure: true },
    ],
    mostConnections: MOST_CONNECTIONS,
    mostPerNetwork: MOST_PER_NETWORK,
    pace: { ...PACE, ...deps.pace },
    converse: (wire) => new Session(sessionDeps, wire),
  });
  const [port, tlsPort] = doors.ports as [number, number];
  return {
    port,
    tlsPort,
    async stop() {
      await doors.stop();
      await mimeParser.stop();
    },
  };
}
