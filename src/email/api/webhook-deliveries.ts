import { type Static, Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { readMoment } from '../../platform/http/body/read-moment.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { isUuid } from '../../platform/ids.ts';
import { listDeliveries, readDelivery } from '../webhooks/log.ts';
import { replayDeliveries } from '../webhooks/replay.ts';
import { queueTestEvent } from '../webhooks/test-event.ts';
import { findEntitled, inWork, type WebhookDeps } from './webhook-work.ts';

const PAGE = 50;

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
const Delivery = Type.Object({
  id: Type.String({ format: 'uuid', description: 'the webhook-id' }),
  sequence: Type.Integer(),
  event_name: Type.String(),
  source_tracking_id: Type.Union([Type.String(), Type.Null()]),
  test: Type.Boolean({ description: 'whether somebody asked for it and it tells of nothing' }),
  state: Type.Enum(['pending', 'delivered', 'failed']),
  attempts: Type.Integer(),
  next_attempt_at: Moment,
  created_at: Type.String({ format: 'date-time' }),
  settled_at: Moment,
});
const Attempt = Type.Object({
  attempt: Type.Integer(),
  started_at: Type.String({ format: 'date-time' }),
  finished_at: Moment,
  outcome: Type.Union([Type.String(), Type.Null()]),
  status: Type.Union([Type.Integer(), Type.Null()]),
});
const Id = Type.Object({ id: Type.String() });
const Time = Type.Optional(Type.String({ format: 'date-time' }));
const Sequence = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

const access = { scope: 'any' } as const;

/** What was sent to an endpoint, and sending it again. */
export function webhookDeliveryEndpoints(deps: WebhookDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/endpoints/:id/deliveries',
      operation: 'listWebhookDeliveries',
      summary: 'The deliveries of an endpoint, the newest first',
      access,
      audit: null,
      params: Id,
      query: Type.Object({
        before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'only below this sequence number' })),
        state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
      }),
      reply: Type.Object({ data: Type.Array(Delivery) }),
      handle: ({ act, caller, params, query }) =>
        inWork(deps, act, async (work) => {
          const { id } = await findEntitled(deps, work, caller, { publicId: params.id });
          const before = query.before === undefined ? null : Number(query.before);
          const page = { before, limit: PAGE, state: query.state ?? null };
          return { data: (await listDeliveries(work.tx, act.customerId, id, page)).map(describe) };
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/endpoints/:id/deliveries/:delivery_id',
      operation: 'readWebhookDelivery',
      summary: 'One delivery with every attempt at it',
      access,
      audit: null,
      params: Type.Object({ id: Type.String(), delivery_id: Type.String() }),
      reply: Type.Object({ data: Type.Object({ ...Delivery.properties, log: Type.Array(Attempt) }) }),
      handle: ({ act, caller, params }) =>
        inWork(deps, act, async (work) => {
          const { id: endpointId } = await findEntitled(deps, work, caller, { publicId: params.id });
          const wanted = { endpointId, deliveryId: params.delivery_id };
          const { delivery, attempts } = await readDelivery(work.tx, deps.requireOwn, act.customerId, wanted);
          return { data: { ...describe(delivery), log: attempts.map(describeAttempt) } };
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/endpoints/:id/replay',
      operation: 'replayWebhookDeliveries',
      summary: 'Send one delivery, or a range of them, again; what waits for its next attempt is tried at once',
      access: { ...access, role: 'admin' },
      audit: 'webhook.replayed',
      params: Id,
      body: Type.Object({
        delivery_id: Type.Optional(Type.String()),
        from_sequence: Sequence,
        to_sequence: Sequence,
        since: Time,
        until: Time,
      }),
      idempotent: true,
      reply: Type.Object({ data: Type.Object({ replayed: Type.Integer() }) }),
      handle: ({ act, caller, params, body, idempotency: claim }) =>
        inWork(deps, act, async (work) => {
          const target = await findEntitled(deps, work, caller, { publicId: params.id }, { lock: true });
          const { delivery_id: deliveryId = null, from_sequence: from = null, to_sequence: to = null } = body;
          const since = readMoment('since', body.since);
          const until = readMoment('until', body.until);
          if ([deliveryId, from, to, since, until].every((part) => part === null)) {
            throw invalidField('delivery_id', 'is required, or a range by sequence or by time');
          }
          if (deliveryId !== null) {
            const wanted = { endpointId: target.id, deliveryId };
            await readDelivery(work.tx, deps.requireOwn, act.customerId, wanted);
          }
          const range = { fromSequence: from, toSequence: to, since, until };
          const reply = { data: { replayed: await replayDeliveries(work, target, { deliveryId, ...range }) } };
          await deps.idempotency.keepWith(work.tx, claim, { status: 200, body: reply });
          return reply;
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/endpoints/:id/test',
      operation: 'sendTestWebhook',
      summary: 'Send an event that tells of nothing, marked as a test, to see whether it arrives',
      access: { ...access, role: 'admin' },
      audit: 'webhook.tested',
      params: Id,
      body: Type.Object({
        event_name: Type.Optional(
          Type.String({ description: 'one of the events of the endpoint, the first by default' }),
        ),
      }),
      bodyOptional: true,
      idempotent: true,
      reply: Type.Object({ data: Type.Object({ delivery_id: Type.String({ format: 'uuid' }) }) }),
      handle: ({ act, caller, params, body, idempotency: claim }) =>
        inWork(deps, act, async (work) => {
          const target = await findEntitled(deps, work, caller, { publicId: params.id }, { lock: true });
          const reply = { data: { delivery_id: await queueTestEvent(work, target, body.event_name) } };
          await deps.idempotency.keepWith(work.tx, claim, { status: 200, body: reply });
          return reply;
        }),
    }),
  ];
}

type Listed = Awaited<ReturnType<typeof listDeliveries>>[number];

function describe(row: Listed): Static<typeof Delivery> {
  const message = String(row.facts.message ?? '');
  return {
    id: row.id,
    sequence: row.sequence,
    event_name: row.event_name,
    source_tracking_id: isUuid(message) ? message : null,
    test: 'test' in row.facts,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.due_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}

type AttemptRow = Awaited<ReturnType<typeof readDelivery>>['attempts'][number];

function describeAttempt({
  started_at: startedAt,
  finished_at: finishedAt,
  ...rest
}: AttemptRow): Static<typeof Attempt> {
  return { ...rest, started_at: startedAt.toISOString(), finished_at: finishedAt?.toISOString() ?? null };
}
