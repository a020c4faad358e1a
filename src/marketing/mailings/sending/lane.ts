import {
  type AcceptMessages,
  type HandOver,
  type LinkTokens,
  MailRooms,
  type ReturnPathDomainOf,
  type SignerFor,
  type WarmUp,
} from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';
import { createLane } from '../../../platform/lanes/lane.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { advanceSends } from './advance.ts';
import { createCompiledSends } from './compiled-sends.ts';

const IDLE_MS = 500;
const OTHERS_IDLE_MS = 60_000;
/** While one waits for the database, the others keep the connections busy. */
const LANES = 3;

export interface MailingsDeps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  tokens: LinkTokens;
  publicUrl: string;
  signerFor: SignerFor;
  returnPathDomainOf: ReturnPathDomainOf;
  handOver: HandOver;
  warmUp: WarmUp | null;
  acceptMessages: AcceptMessages;
  idempotency: Idempotency;
}

export interface Mailings {
  /** Says that a send may have something to do. */
  nudge(): void;
  /** Begins nothing any more. */
  halt(): void;
  stop(): Promise<void>;
}

/** Starts working off the sends of mailings. */
export function startMailings(deps: MailingsDeps): Mailings {
  const compiled = createCompiledSends(deps);
  const rooms = new MailRooms();
  const halted = new AbortController();
  const turn = () => advanceSends({ ...deps, compiled, rooms, halted: halted.signal });
  const others = Array.from({ length: LANES - 1 }, (_, index) =>
    createLane({ name: `mailings ${index + 2}`, log: deps.log }, turn, OTHERS_IDLE_MS),
  );
  const nudgeOthers = () => others.forEach((lane) => lane.nudge());
  // One looks for work; the others are told when there is some.
  const first = createLane(
    { name: 'mailings 1', log: deps.log },
    async () => {
      const done = await turn();
      if (done > 0) nudgeOthers();
      return done;
    },
    IDLE_MS,
  );
  const lanes = [first, ...others];
  for (const lane of lanes) lane.start();
  return {
    nudge: () => lanes.forEach((lane) => lane.nudge()),
    halt: () => halted.abort(),
    async stop() {
      halted.abort();
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}
