import { type Static, Type } from 'typebox';
import type { Area } from '../../platform/http/area.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointWish,
  listEndpoints,
  refuseTaken,
  rotateSecret,
  updateEndpoint,
} from '../webhooks/endpoints.ts';
import { isEntitled, readEvents, readTarget } from '../webhooks/read-endpoint.ts';
import { webhookDeliveryEndpoints } from './webhook-deliveries.ts';
import { findEntitled, inWork, type WebhookDeps } from './webhook-work.ts';

const DEFAULT_ITEMS = 50;
const MOST_ITEMS = 200;

const Id = Type.Object({ id: Type.String() });
const Fields = Type.Object({
  id: Type.String({ format: 'uuid' }),
  target_url: Type.String(),
  status: Type.Enum(['active', 'disabled']),
  events: Type.Array(Type.String()),
  ordered: Type.Boolean(),
  failing: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
const WithSecret = Type.Object({
  data: Type.Object({ ...Fields.properties, signing_secret: Type.String() }),
  message: Type.String(),
});

const access = { scope: 'any' } as const;

/** Webhook endpoints for keys of every scope, with UUIDs: an area with an error body of its own. */
export function createWebhooksArea(deps: WebhookDeps): Area {
  return {
    name: 'webhooks',
    bases: ['/v1/webhooks'],
    headerForms: ['bearer'],
    errorSchema: Type.Object({ message: Type.String() }),
    errorBody: ({ message }) => ({ message }),
    invalidStatus: 422,
    endpoints: [...endpointEndpoints(deps), ...webhookDeliveryEndpoints(deps)],
  };
}

function endpointEndpoints(deps: WebhookDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/endpoints',
      operation: 'listWebhooks',
      summary: 'Where events are sent',
      access,
      audit: null,
      query: Type.Object({ page: Type.Optional(Type.String()), items: Type.Optional(Type.String()) }),
      reply: Type.Object({
        data: Type.Array(Fields),
        page_info: Type.Object({ count: Type.Integer(), items: Type.Integer() }),
      }),
      handle: ({ act, caller, query }) =>
        inWork(deps, act, async (work) => {
          const items = Math.min(readPositive(query.items) ?? DEFAULT_ITEMS, MOST_ITEMS);
          const page = readPositive(query.page) ?? 1;
          const all = (await listEndpoints(work)).filter(({ events }) =>
            events.every((name) => isEntitled(caller.scopes, name)),
          );
          const data = all.slice((page - 1) * items, page * items).map(describe);
          return { data, page_info: { count: all.length, items } };
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/endpoints',
      operation: 'createWebhook',
      summary: 'Have events sent to an address; the secret is shown only here',
      access: { ...access, role: 'admin', fresh: true },
      audit: 'webhook.created',
      body: Type.Object({
        target_url: Type.String(),
        events: Type.Array(Type.String()),
        ordered: Type.Optional(Type.Boolean()),
      }),
      idempotent: true,
      status: 201,
      reply: WithSecret,
      handle: ({ act, caller, body, idempotency: claim }) => {
        const wish = {
          ...readTarget(body.target_url, deps.targetRules),
          events: readEvents(caller.scopes, body.events),
          ordered: body.ordered ?? false,
        };
        return inWork(deps, act, async (work) => {
          await refuseTaken(work, wish.targetUrl);
          const made = await createEndpoint(work, { ...wish, active: true, apiKey: null, signingKey: null });
          const reply = withSecret(made, 'Webhook endpoint created');
          await deps.idempotency.keepWith(work.tx, claim, { status: 201, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/endpoints/:id',
      operation: 'readWebhook',
      summary: 'One endpoint',
      access,
      audit: null,
      params: Id,
      reply: Type.Object({ data: Fields }),
      handle: ({ act, caller, params }) =>
        inWork(deps, act, async (work) => ({ data: describe(await findEntitled(deps, work, caller, named(params))) })),
    }),
    endpoint({
      method: 'PATCH',
      path: '/endpoints/:id',
      operation: 'updateWebhook',
      summary: 'Change an endpoint',
      access: { ...access, role: 'admin', fresh: true },
      audit: 'webhook.updated',
      params: Id,
      body: Type.Object({
        target_url: Type.Optional(Type.String()),
        events: Type.Optional(Type.Array(Type.String())),
        status: Type.Optional(Type.Enum(['active', 'disabled'])),
        ordered: Type.Optional(Type.Boolean()),
        ...IfUpdatedAt,
      }),
      reply: Type.Object({ data: Fields }),
      handle: ({ act, caller, params, body }) => {
        const change: Partial<EndpointWish> = {
          ...(body.target_url === undefined ? {} : readTarget(body.target_url, deps.targetRules)),
          ...(body.events === undefined ? {} : { events: readEvents(caller.scopes, body.events) }),
          ...(body.status === undefined ? {} : { active: body.status === 'active' }),
          ...(body.ordered === undefined ? {} : { ordered: body.ordered }),
        };
        return inWork(deps, act, async (work) => {
          const before = await findEntitled(deps, work, caller, named(params), { lock: true });
          refuseOvertaken(body, before.updatedAt);
          const { targetUrl = before.targetUrl } = change;
          if (targetUrl !== before.targetUrl) await refuseTaken(work, targetUrl);
          return { data: describe(await updateEndpoint(work, before, change)) };
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/endpoints/:id',
      operation: 'deleteWebhook',
      summary: 'Take an endpoint away',
      access: { ...access, role: 'admin' },
      audit: 'webhook.deleted',
      params: Id,
      status: 204,
      reply: Type.Null(),
      handle: ({ act, caller, params }) =>
        inWork(deps, act, async (work) => {
          await deleteEndpoint(work, await findEntitled(deps, work, caller, named(params), { lock: true }));
          return null;
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/endpoints/:id/rotate_secret',
      operation: 'rotateWebhookSecret',
      summary: 'Give an endpoint a new secret; the old one signs beside it for a day',
      access: { ...access, role: 'admin', fresh: true },
      audit: 'webhook.secret-rotated',
      params: Id,
      idempotent: true,
      reply: WithSecret,
      handle: ({ act, caller, params, idempotency: claim }) =>
        inWork(deps, act, async (work) => {
          const before = await findEntitled(deps, work, caller, named(params), { lock: true });
          const reply = withSecret(await rotateSecret(work, before), 'Webhook secret rotated');
          await deps.idempotency.keepWith(work.tx, claim, { status: 200, body: reply });
          return reply;
        }),
    }),
  ];
}

/** A whole number from 1 on, or null: other values of page and items count as not given. */
function readPositive(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

/** The endpoint that a path names. */
function named({ id }: { id: string }): { publicId: string } {
  return { publicId: id };
}

function describe(each: WebhookEndpoint): Static<typeof Fields> {
  return {
    id: each.publicId,
    target_url: each.writtenUrl,
    status: each.active ? 'active' : 'disabled',
    events: each.events,
    ordered: each.ordered,
    failing: each.failingSince !== null,
    created_at: each.createdAt.toISOString(),
    updated_at: each.updatedAt.toISOString(),
  };
}

function withSecret(each: WebhookEndpoint, message: string): Static<typeof WithSecret> {
  return { data: { ...describe(each), signing_secret: each.secrets[0]?.text as string }, message };
}
