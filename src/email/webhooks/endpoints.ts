import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid, unguessableId } from '../../platform/ids.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openEndpoint, sealEndpoint, type Target, urlIndex, type WebhookEndpoint } from './endpoint.ts';
import { lastAttemptIsOver } from './last-attempt.ts';
import { createSecret, type SigningSecret } from './secret.ts';
import '../tables.ts';

/** Both secrets sign for so long after one has taken the place of the other. */
const OVERLAP_MS = 24 * 3600_000;
const MOST_ENDPOINTS = 100;
const MOST_LEAVING = 4;

/** What a caller says about an endpoint. */
export interface EndpointWish extends Target {
  events: string[];
  active: boolean;
  ordered: boolean;
  apiKey: string | null;
  /** A secret of the caller's own; null has one made. */
  signingKey: string | null;
}

/** What changing endpoints takes: an open transaction of the customer, its keys, and who does it. */
export interface EndpointWork {
  tx: Tx;
  keys: CustomerVault;
  clock: Clock;
  act: Act;
}

/** Adds an endpoint. */
export async function createEndpoint(work: EndpointWork, wish: EndpointWish): Promise<WebhookEndpoint> {
  const { tx, keys, clock, act } = work;
  const existing = await listEndpoints(work);
  if (existing.length >= MOST_ENDPOINTS) {
    throw new AppError('unprocessable', `A customer has at most ${MOST_ENDPOINTS} webhook endpoints`);
  }
  const publicId = unguessableId();
  const now = clock.now();
  const { targetUrl, writtenUrl, events, active, ordered, apiKey } = wish;
  const secrets = [{ text: wish.signingKey ?? createSecret(), until: null }];
  const { id } = await tx
    .insertInto('webhook_endpoints')
    .values({
      public_id: publicId,
      customer_id: act.customerId,
      events,
      active,
      ordered,
      failing_since: null,
      url_index: urlIndex(keys, targetUrl),
      sealed: sealEndpoint(keys, publicId, { targetUrl, writtenUrl, apiKey, secrets }),
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordAct(tx, clock, act, { target: publicId, details: { events } });
  const made = { id, publicId, targetUrl, writtenUrl, events, active, ordered, apiKey, secrets };
  return { ...made, failingSince: null, createdAt: now, updatedAt: now };
}

/** Throws where an endpoint of the customer has this address; whoever asks at the same time waits for the answer. */
export async function refuseTaken({ tx, keys, act }: EndpointWork, targetUrl: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('carepost webhook address'), ${act.customerId}::int)`.execute(tx);
  const holder = await ofCustomer(tx, act.customerId)
    .where('url_index', '=', urlIndex(keys, targetUrl))
    .executeTakeFirst();
  if (holder !== undefined) throw new AppError('unprocessable', 'target_url: another endpoint has it');
}

/** Changes an endpoint; one that is switched on again goes on with what waits. */
export async function updateEndpoint(
  work: EndpointWork,
  before: WebhookEndpoint,
  change: Partial<EndpointWish>,
): Promise<WebhookEndpoint> {
  const { signingKey, ...rest } = change;
  const secrets =
    signingKey === undefined || signingKey === null ? before.secrets : [{ text: signingKey, until: null }];
  const after = { ...before, ...rest, secrets, updatedAt: work.clock.now() };
  await save(work, after);
  if (after.active && !before.active) await wake(work, after);
  await recordAct(work.tx, work.clock, work.act, { target: before.publicId, details: { events: after.events } });
  return after;
}

/** Gives an endpoint a new secret; the old one signs beside it for a day. */
export async function rotateSecret(work: EndpointWork, before: WebhookEndpoint): Promise<WebhookEndpoint> {
  const now = work.clock.now();
  const after = { ...before, secrets: replaced(before, createSecret(), now), updatedAt: now };
  await save(work, after);
  await recordAct(work.tx, work.clock, work.act, { target: before.publicId });
  return after;
}

/** The secrets after a new one has come: the one before it signs on for a day, those before that to their own end. */
function replaced({ secrets }: WebhookEndpoint, text: string, now: Date): SigningSecret[] {
  const end = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const leaving = secrets.map((secret) => ({ text: secret.text, until: secret.until ?? end }));
  const signing = leaving.filter(({ until }) => new Date(until) > now).slice(0, MOST_LEAVING);
  return [{ text, until: null }, ...signing];
}

/** Takes an endpoint away, with whatever still waits for it. */
export async function deleteEndpoint({ tx, clock, act }: EndpointWork, endpoint: WebhookEndpoint): Promise<void> {
  const now = clock.now();
  await tx
    .updateTable('webhook_endpoints')
    .set({ active: false, deleted_at: now })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', endpoint.id)
    .execute();
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', due_at: null, settled_at: now })
    .where('customer_id', '=', act.customerId)
    .where('endpoint_id', '=', endpoint.id)
    .where('state', '=', 'pending')
    .execute();
  await recordAct(tx, clock, act, { target: endpoint.publicId });
}

/** Every endpoint of a customer, the oldest first. */
export async function listEndpoints({ tx, keys, act }: EndpointWork): Promise<WebhookEndpoint[]> {
  const rows = await ofCustomer(tx, act.customerId).orderBy('id').execute();
  return rows.map((row) => openEndpoint(keys, row));
}

/** The endpoint of an id in either form, if wanted locked for change: 404 where there is none, 403 where it is another's. */
export async function findEndpoint(
  { tx, keys, act }: EndpointWork,
  requireOwn: OwnershipCheck,
  wanted: { id: number } | { publicId: string },
  { lock = false } = {},
): Promise<WebhookEndpoint> {
  if ('publicId' in wanted && !isUuid(wanted.publicId)) throw notFound();
  const owner =
    'id' in wanted
      ? sql<number | null>`find_webhook_endpoint_customer(${wanted.id})`
      : sql<number | null>`find_webhook_endpoint(${wanted.publicId})`;
  await requireOwn(tx, act.customerId, owner, 'No such webhook endpoint');
  const query = lock ? ofCustomer(tx, act.customerId).forUpdate() : ofCustomer(tx, act.customerId);
  const row = await ('id' in wanted
    ? query.where('id', '=', wanted.id)
    : query.where('public_id', '=', wanted.publicId)
  ).executeTakeFirst();
  if (row === undefined) throw notFound();
  return openEndpoint(keys, row);
}

function notFound(): AppError {
  return new AppError('not_found', 'No such webhook endpoint');
}

function ofCustomer(tx: Tx, customerId: number) {
  return tx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null);
}

async function save({ tx, keys, act }: EndpointWork, endpoint: WebhookEndpoint): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({
      events: endpoint.events,
      active: endpoint.active,
      ordered: endpoint.ordered,
      url_index: urlIndex(keys, endpoint.targetUrl),
      sealed: sealEndpoint(keys, endpoint.publicId, endpoint),
      updated_at: endpoint.updatedAt,
    })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', endpoint.id)
    .execute();
}

async function wake({ tx, clock, act }: EndpointWork, { id }: WebhookEndpoint): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('endpoint_id', '=', id)
    .where('state', '=', 'pending')
    .where(lastAttemptIsOver(act.customerId))
    .execute();
}
