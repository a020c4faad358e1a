import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createLane } from '../../platform/lanes/lane.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Dial } from '../../platform/net/dial.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { keepSunkMessage } from '../sandbox/keep.ts';
import { startSink } from '../sandbox/sink.ts';
import { createKeepLinks } from '../tracking/links.ts';
import type { LinkTokens } from '../tracking/token.ts';
import { createWebhookLane } from '../webhooks/deliver.ts';
import { createChannelPool } from './channel-pool.ts';
import { connectSecurely, type Target } from './connect.ts';
import { deliverDue } from './deliver.ts';
import { createHandOver, type HandOver } from './hand-over.ts';

const IDLE_MS = 1_000;

export interface Delivery {
  /** Says that messages were accepted just now. */
  nudge(): void;
  /** Hands one message to its peer at once, for areas that keep queues of their own. */
  handOver: HandOver;
  stop(): Promise<void>;
}

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  tokens: LinkTokens;
  publicUrl: string;
  dial: Dial;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Where everything goes in place of the sandbox. */
  peer?: Target;
}

/**
 * Starts delivery to the sandbox, a mail server of our own at the end of a real hop over TLS, and the
 * webhooks that tell of it.
 */
export async function startDelivery(deps: Deps): Promise<Delivery> {
  const sink = await startSink(deps, (message) => keepSunkMessage(deps, message));
  const channels = createChannelPool(() => connectSecurely(deps.peer ?? sink.target));
  const keepLinks = createKeepLinks(deps);
  const webhooks = createWebhookLane(deps);
  const turn = async () => {
    const delivered = await deliverDue({ ...deps, channels, keepLinks });
    if (delivered > 0) webhooks.nudge();
    return delivered;
  };
  const lane = createLane({ name: 'delivery', log: deps.log }, turn, IDLE_MS);
  lane.start();
  webhooks.start();
  return {
    nudge: () => lane.nudge(),
    handOver: createHandOver(channels),
    async stop() {
      await lane.stop();
      await webhooks.stop();
      channels.close();
      await sink.stop();
    },
  };
}
