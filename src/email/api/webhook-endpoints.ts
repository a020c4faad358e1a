import { type Static, Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import { AppError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { Flag, readStrictFlag } from '../../platform/http/body/flag.ts';
import { isGiven } from '../../platform/http/body/given.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointWish,
  listEndpoints,
  updateEndpoint,
} from '../webhooks/endpoints.ts';
import { isEntitled, readEvents, readSecret, readSigningKey, readTarget } from '../webhooks/read-endpoint.ts';
import { findEntitled, inWork, type WebhookDeps } from './webhook-work.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const Events = Type.Union([Type.Array(Type.String()), Type.String()], { description: 'a list, or joined by commas' });
const Id = Type.Object({ id: Type.String() });

const Wish = Type.Object({
  target_url: Type.String(),
  events: Events,
  signing_key: Type.Optional(Text),
  api_key: Type.Optional(Text),
  active: Type.Optional(Flag),
  ordered: Type.Optional(Flag),
});
const Change = Type.Partial(
  Type.Object({ ...Wish.properties, target_url: Text, events: Type.Union([Events, Type.Null()]) }),
);

const Fields = Type.Object({
  id: Type.Integer(),
  api_customer_id: Type.Integer(),
  target_url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  ordered: Type.Boolean(),
  failing: Type.Boolean(),
  signing_key: Type.Optional(Type.String({ description: 'shown when the endpoint is made' })),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});
const Both = Type.Object({ ...Fields.properties, data: Fields, message: Type.Optional(Type.String()) });

const access = { scope: 'email' } as const;

/** The endpoints of webhooks under the Email area, with integer ids. */
export function webhookEndpointEndpoints(deps: WebhookDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/webhook_endpoints',
      operation: 'listWebhookEndpoints',
      summary: 'Where events are sent',
      access,
      audit: null,
      reply: Type.Array(Fields),
      handle: ({ act, caller }) =>
        inWork(deps, act, async (work) =>
          (await listEndpoints(work))
            .filter(({ events }) => events.every((name) => isEntitled(caller.scopes, name)))
            .map((each) => describe(act, each)),
        ),
    }),
    endpoint({
      method: 'POST',
      path: '/webhook_endpoints',
      operation: 'createWebhookEndpoint',
      summary: 'Have events sent to an address',
      access: { ...access, role: 'admin', fresh: true },
      audit: 'webhook.created',
      body: Wish,
      bodyForms: ['urlencoded', 'multipart'],
      idempotent: true,
      status: 201,
      reply: Both,
      handle: ({ act, caller, body, idempotency: claim }) => {
        const wish = readWish(deps, caller.scopes, body);
        return inWork(deps, act, async (work) => {
          const made = await createEndpoint(work, wish);
          const reply = both(
            { ...describe(act, made), signing_key: made.secrets[0]?.text as string },
            'Webhook created!',
          );
          await deps.idempotency.keepWith(work.tx, claim, { status: 201, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/webhook_endpoints/:id',
      operation: 'readWebhookEndpoint',
      summary: 'One endpoint',
      access,
      audit: null,
      params: Id,
      reply: Both,
      handle: ({ act, caller, params }) =>
        inWork(deps, act, async (work) => {
          const wanted = { id: readId(params.id) };
          return both(describe(act, await findEntitled(deps, work, caller, wanted)));
        }),
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      endpoint({
        method,
        path: '/webhook_endpoints/:id',
        operation: method === 'PATCH' ? 'updateWebhookEndpoint' : 'replaceWebhookEndpoint',
        summary: 'Change an endpoint',
        access: { ...access, role: 'admin', fresh: true },
        audit: 'webhook.updated',
        params: Id,
        body: Change,
        bodyForms: ['urlencoded', 'multipart'],
        reply: Both,
        handle: ({ act, caller, params, body }) => {
          const change = readChange(deps, caller.scopes, body);
          return inWork(deps, act, async (work) => {
            const before = await findEntitled(deps, work, caller, { id: readId(params.id) }, { lock: true });
            return both(describe(act, await updateEndpoint(work, before, change)), 'Webhook updated!');
          });
        },
      }),
    ),
    endpoint({
      method: 'DELETE',
      path: '/webhook_endpoints/:id',
      operation: 'deleteWebhookEndpoint',
      summary: 'Take an endpoint away',
      access: { ...access, role: 'admin' },
      audit: 'webhook.deleted',
      params: Id,
      reply: Both,
      handle: ({ act, caller, params }) =>
        inWork(deps, act, async (work) => {
          const leaving = await findEntitled(deps, work, caller, { id: readId(params.id) }, { lock: true });
          await deleteEndpoint(work, leaving);
          return both(describe(act, leaving), 'Webhook deleted!');
        }),
    }),
  ];
}

const LARGEST_ID = 2 ** 31 - 1;

function readId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || id > LARGEST_ID) throw new AppError('not_found', 'No such webhook endpoint');
  return id;
}

function readWish({ targetRules }: WebhookDeps, scopes: ReadonlySet<Scope>, body: Static<typeof Wish>): EndpointWish {
  return {
    ...readTarget(body.target_url, targetRules),
    events: readEvents(scopes, body.events),
    active: readStrictFlag('active', body.active) ?? true,
    ordered: readStrictFlag('ordered', body.ordered) ?? false,
    apiKey: readSecret('api_key', body.api_key),
    signingKey: readSigningKey(body.signing_key),
  };
}

function readChange(deps: WebhookDeps, scopes: ReadonlySet<Scope>, body: Static<typeof Change>): Partial<EndpointWish> {
  const [apiKey, signingKey] = [readSecret('api_key', body.api_key), readSigningKey(body.signing_key)];
  const [active, ordered] = [readStrictFlag('active', body.active), readStrictFlag('ordered', body.ordered)];
  return {
    ...(isGiven(body.target_url) ? readTarget(body.target_url, deps.targetRules) : {}),
    ...(isGiven(body.events) ? { events: readEvents(scopes, body.events) } : {}),
    ...(active === null ? {} : { active }),
    ...(ordered === null ? {} : { ordered }),
    ...(apiKey === null ? {} : { apiKey }),
    ...(signingKey === null ? {} : { signingKey }),
  };
}

function describe(act: Act, each: WebhookEndpoint): Static<typeof Fields> {
  return {
    id: each.id,
    api_customer_id: act.customerId,
    target_url: each.writtenUrl,
    events: each.events,
    active: each.active,
    ordered: each.ordered,
    failing: each.failingSince !== null,
    created_at: each.createdAt.toISOString(),
    updated_at: each.updatedAt.toISOString(),
  };
}

function both(fields: Static<typeof Fields>, message?: string) {
  return { ...fields, data: fields, ...(message === undefined ? {} : { message }) };
}
