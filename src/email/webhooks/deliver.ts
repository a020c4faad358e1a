import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { despiteOutage } from '../../platform/db/despite-outage.ts';
import { createLane, type Lane } from '../../platform/lanes/lane.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Dial } from '../../platform/net/dial.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { attemptDelivery } from './attempt.ts';
import { leaseDeliveries, type UnderWay, type WebhookLease } from './lease.ts';
import { settleAttempt } from './settle.ts';

const AT_ONCE = 256;
const AT_ONCE_PER_CUSTOMER = 32;
const AT_ONCE_PER_ENDPOINT = 4;
const IDLE_MS = 1_000;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  dial: Dial;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'webhookAttempts' | 'webhookLag'>;
}

/**
 * Starts to deliver webhooks. A turn of the lane begins attempts and does not wait for them: an endpoint
 * that hangs holds its own few places and nobody else's.
 */
export function createWebhookLane(deps: Deps): Lane {
  const underWay = new Map<Promise<void>, UnderWay>();

  const lane = createLane(
    { name: 'webhooks', log: deps.log },
    async () => {
      const room = AT_ONCE - underWay.size;
      if (room === 0) return 0;
      const leases = await leaseDeliveries(deps, {
        most: room,
        perEndpoint: AT_ONCE_PER_ENDPOINT,
        perCustomer: AT_ONCE_PER_CUSTOMER,
        underWay: [...underWay.values()],
      });
      for (const lease of leases) begin(lease);
      return leases.length;
    },
    IDLE_MS,
  );

  function begin(lease: WebhookLease): void {
    const attempt = carryOut(deps, lease).finally(() => {
      underWay.delete(attempt);
      lane.nudge();
    });
    const { id, endpoint_id, customer_id } = lease;
    underWay.set(attempt, { id, endpoint_id, customer_id });
  }

  return {
    start: lane.start,
    nudge: lane.nudge,
    async stop() {
      await lane.stop();
      await Promise.all(underWay.keys());
    },
  };
}

async function carryOut(deps: Deps, lease: WebhookLease): Promise<void> {
  const { id: deliveryId, customer_id: customerId, attempts: attempt, facts } = lease;
  const about = { deliveryId, customerId, attempt, messageId: facts.message };
  const waited = deps.clock.now().getTime() - lease.created_at.getTime();
  if (attempt === 1) deps.metrics.webhookLag.observe(Math.max(0, waited) / 1000);
  try {
    const result = await attemptDelivery(deps, lease);
    // Forgotten, it would be made again as soon as the database is back.
    const outcome = await despiteOutage(() => settleAttempt(deps, lease, result));
    deps.metrics.webhookAttempts.inc({ outcome });
    if (outcome === 'delivered') deps.log.debug({ ...about, outcome }, 'webhook called');
    else deps.log.info({ ...about, outcome }, 'webhook called');
  } catch (error) {
    // The lease ends by itself and the attempt is made again.
    deps.log.error({ ...about, err: error }, 'webhook attempt failed');
  }
}
