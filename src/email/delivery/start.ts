import { createLane } from '../../platform/lanes/lane.ts';
import { every } from '../../platform/lifecycle.ts';
import type { Dial } from '../../platform/net/dial.ts';
import type { WarmUp } from '../domains/warm-up.ts';
import { keepSunkMessage } from '../sandbox/keep.ts';
import { startSink } from '../sandbox/sink.ts';
import { sessionOf } from '../tls-reports/session-of.ts';
import { createTlsTally } from '../tls-reports/tally.ts';
import { createWebhookLane } from '../webhooks/deliver.ts';
import { PATIENCE, type Patience, type Target } from './dialogue/connect.ts';
import { createEngine, type EngineDeps, type Way } from './engine.ts';
import type { HandOver } from './hand-over.ts';
import type { Meeting } from './onward/direct-destination.ts';
import { createDirectWay, type DirectWayDeps } from './onward/direct-way.ts';
import { createFixedDestination } from './onward/fixed-destination.ts';
import { readRelay } from './onward/relay.ts';

const IDLE_MS = 1_000;
const RENEW_MS = 20_000;
const TALLY_MS = 5_000;
const DRAIN_MS = 10_000;
const SANDBOX_AT_ONCE = 8;
const RELAY_AT_ONCE = 20;

export interface Delivery {
  /** Says that messages were accepted just now. */
  nudge(): void;
  /** Hands one message to its peer at once, for areas that keep queues of their own. */
  handOver: HandOver;
  /** What new domains may send; null where nobody has to get to know them. */
  warmUp: WarmUp | null;
  /** Lets nothing begin any more, so that others who hand mail over can stop too. */
  halt(): void;
  stop(): Promise<void>;
}

/** Where live mail goes. */
export type Onward =
  | { mode: 'sandbox' }
  | ({ mode: 'direct' } & Omit<DirectWayDeps, 'db' | 'clock' | 'log' | 'patience' | 'onMeeting'>)
  | { mode: 'relay'; url: string; heloName: string; authorities: string | undefined };

interface Deps extends EngineDeps {
  dial: Dial;
  onward: Onward;
  /** Where everything goes in place of the sandbox. */
  peer?: Target;
}

/**
 * Starts delivery, and the webhooks that tell of it. The sandbox, a mail server of our own at the end of a real hop over
 * TLS, is there in every mode.
 */
export async function startDelivery(deps: Deps): Promise<Delivery> {
  const { patience = PATIENCE } = deps;
  const sink = await startSink(deps, (message) => keepSunkMessage(deps, message));
  const sandbox = fixedWay(createFixedDestination(deps.peer ?? sink.target, patience, SANDBOX_AT_ONCE));
  const tally = createTlsTally(deps);
  const onMeeting = (meeting: Meeting) => {
    const session = sessionOf(meeting);
    if (session !== null) tally.note(session);
  };
  const live = liveWay({ ...deps, patience, onMeeting }, sandbox);
  const webhooks = createWebhookLane(deps);
  const onSettled = (hasRoom: boolean) => {
    if (hasRoom) lane.nudge();
  };
  const engine = createEngine({ ...deps, onSettled, onTold: () => webhooks.nudge() }, { live, test: sandbox });
  const turn = async () => {
    const handled = await engine.turn();
    return engine.hasMore() ? handled : 0; // who accepts mail says so, and needs no second look
  };
  const lane = createLane({ name: 'delivery', log: deps.log }, turn, IDLE_MS);
  lane.start();
  webhooks.start();
  const { log } = deps;
  const stopRenewing = every(RENEW_MS, () => engine.renew(), { log, name: 'leases of deliveries' });
  const stopCounting = every(TALLY_MS, () => tally.settle(), { log, name: 'TLS tally' });
  return {
    nudge() {
      engine.accepted();
      lane.nudge();
    },
    handOver: engine.handOver,
    warmUp: live.warmUp,
    halt() {
      engine.halt();
      setTimeout(() => engine.end(), DRAIN_MS).unref();
    },
    async stop() {
      engine.halt();
      await lane.stop();
      const patient = setTimeout(() => engine.end(), DRAIN_MS);
      await engine.settled();
      clearTimeout(patient);
      await stopRenewing();
      await stopCounting();
      await tally.settle();
      await webhooks.stop();
      live.close();
      sandbox.close();
      await sink.stop();
    },
  };
}

type Live = Deps & { patience: Patience; onMeeting(meeting: Meeting): void };

function liveWay(deps: Live, sandbox: Way): Way {
  const { onward, patience } = deps;
  if (onward.mode === 'sandbox') return sandbox;
  if (onward.mode === 'direct') return createDirectWay({ ...deps, ...onward });
  const { target, signIn } = readRelay(onward.url, { ...onward, patience });
  return fixedWay(createFixedDestination(target, patience, RELAY_AT_ONCE, signIn));
}

function fixedWay(destination: ReturnType<typeof createFixedDestination>): Way {
  const { site } = destination;
  return {
    find: async () => destination,
    warmUp: null,
    onVerified: () => {},
    halt: (reason) => site.halt(reason),
    close: () => site.close(),
  };
}
