import type { SealedBlobs } from '../platform/blob/sealed-blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Area } from '../platform/http/area.ts';
import type { Idempotency } from '../platform/http/idempotency.ts';
import { createLane } from '../platform/lanes/lane.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { SealedColumn } from '../platform/vault/reseal.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { EmailErrors, emailErrorBody } from './api/errors.ts';
import { sendMessageEndpoint } from './api/messages.ts';
import { sandboxEndpoint } from './api/sandbox.ts';
import { createChannelPool } from './delivery/channel-pool.ts';
import { connectSecurely } from './delivery/connect.ts';
import { deliverDue } from './delivery/deliver.ts';
import { readInbox } from './sandbox/inbox.ts';
import { keepSunkMessage } from './sandbox/keep.ts';
import { startSink } from './sandbox/sink.ts';
import { createAcceptMessages } from './submission/accept.ts';

export { sweepSandbox } from './sandbox/sweep.ts';
export { parseAddress } from './submission/address.ts';

/** The columns of this area that hold sealed values. */
export const EMAIL_SEALED_COLUMNS: SealedColumn[] = [
  { table: 'messages', row: 'id', column: 'envelope' },
  { table: 'message_contents', row: 'id', column: 'sealed' },
  { table: 'sandbox_messages', row: 'id', column: 'sealed' },
];

const IDLE_MS = 1_000;

interface Deps {
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  idempotency: Idempotency;
  clock: Clock;
  onAccepted(): void;
}

/** The Email area as the server mounts it. */
export function createEmailArea(deps: Deps): Area {
  const acceptMessages = createAcceptMessages(deps);
  return {
    name: 'email',
    bases: ['/v1/email', '/v1', '/v1/:username', '/emailapi/v1/:username'],
    headerForms: ['bearer', 'token'],
    errorSchema: EmailErrors,
    errorBody: emailErrorBody,
    endpoints: [
      sendMessageEndpoint({ acceptMessages }),
      sandboxEndpoint({ readInbox: (act, to) => readInbox(deps, act, to) }),
    ],
  };
}

export interface Delivery {
  /** Says that messages were accepted just now. */
  nudge(): void;
  stop(): Promise<void>;
}

interface DeliveryDeps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  blobs: SealedBlobs;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Starts delivery to the sandbox: a mail server of our own at the end of a real hop over TLS. */
export async function startDelivery(deps: DeliveryDeps): Promise<Delivery> {
  const sink = await startSink(deps, (message) => keepSunkMessage(deps, message));
  const channels = createChannelPool(() => connectSecurely(sink.target));
  const lane = createLane({ name: 'delivery', log: deps.log }, () => deliverDue({ ...deps, channels }), IDLE_MS);
  lane.start();
  return {
    nudge: () => lane.nudge(),
    async stop() {
      await lane.stop();
      channels.close();
      await sink.stop();
    },
  };
}
