import { NoResultError } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isDatabaseAway } from '../../platform/db/failure.ts';
import type { Dial } from '../../platform/net/dial.ts';
import { DialFailed } from '../../platform/net/dial-failed.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { describeEvent } from '../events/payload.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { openEndpoint, type WebhookEndpoint } from './endpoint.ts';
import type { WebhookLease } from './lease.ts';
import { signatureHeaders } from './secret.ts';
import type { AttemptResult } from './settle.ts';
import { describeTestEvent } from './test-event.ts';
import '../tables.ts';

const TIME_LIMIT_MS = 15_000;

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  dial: Dial;
  clock: Clock;
}

/** Makes one attempt: builds the body anew from sealed data, signs it and posts it. */
export async function attemptDelivery(deps: Deps, lease: WebhookLease): Promise<AttemptResult> {
  const built = await build(deps, lease).catch((error: unknown) => {
    if (isDatabaseAway(error)) throw error;
    // Otherwise the keys of the customer may have been destroyed, or are not there for a while.
    return { failure: 'unreadable', isGone: error instanceof NoResultError };
  });
  if ('failure' in built) return built;
  const { endpoint, body } = built;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Carepost-Webhooks/1',
    // Not in the body, of which receivers know two members.
    'carepost-sequence': String(lease.sequence),
    ...signatureHeaders(endpoint.secrets, { id: lease.id, at: deps.clock.now(), body }),
    ...(endpoint.apiKey === null ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
  };
  try {
    return await deps.dial({ url: endpoint.targetUrl, headers, body, timeoutMs: TIME_LIMIT_MS });
  } catch (error) {
    if (error instanceof DialFailed) return { failure: error.reason };
    throw error;
  }
}

async function build({ db, vault }: Deps, lease: WebhookLease): Promise<{ endpoint: WebhookEndpoint; body: string }> {
  const { customer_id: customerId } = lease;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const row = await tx
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('customer_id', '=', customerId)
      .where('id', '=', lease.endpoint_id)
      .executeTakeFirstOrThrow();
    const event = await eventOf(tx, keys, lease);
    return { endpoint: openEndpoint(keys, row), body: JSON.stringify(event) };
  });
}

function eventOf(tx: Tx, keys: CustomerVault, lease: WebhookLease): object | Promise<object> {
  const { event_name: name, facts } = lease;
  if ('test' in facts) return describeTestEvent(name, String(facts.time));
  return 'message' in facts ? messageEvent(tx, keys, lease) : plainEvent(lease);
}

/** What became of a message, told with what its sealed envelope says. */
async function messageEvent(tx: Tx, keys: CustomerVault, { customer_id, event_name, facts }: WebhookLease) {
  const messageId = String(facts.message);
  const { envelope } = await tx
    .selectFrom('messages')
    .select('envelope')
    .where('customer_id', '=', customer_id)
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  const event = {
    name: event_name,
    number: Number(facts.number),
    messageId,
    ordinal: Number(facts.recipient),
    at: new Date(facts.at as string),
    uncertain: facts.uncertain === 1,
  };
  return describeEvent(event, openEnvelope(keys, messageId, envelope));
}

/** News of any other area says all in its facts, which are ids and times. */
function plainEvent({ event_name, facts }: WebhookLease) {
  return { event_name, payload: facts };
}
