import { Type } from 'typebox';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { WrittenJson, writeJsonList } from '../../platform/http/written-json.ts';
import { changeDrip } from '../drip/campaigns/change.ts';
import { deleteDrip } from '../drip/campaigns/control.ts';
import { copyDrip } from '../drip/campaigns/copy.ts';
import { createDrip } from '../drip/campaigns/create.ts';
import { findDrip } from '../drip/campaigns/drip.ts';
import { DRIP_ORDERS, listDrips } from '../drip/campaigns/list.ts';
import { DripBody, readDripChange, readNewDrip } from '../drip/campaigns/read-drip.ts';
import { namePattern } from '../name-pattern.ts';
import { one, readChoice, readNumber } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';
import { DripReply, describeDrip, describeListed, ListedDripReply } from './drip-reply.ts';

const Id = Type.Object({ id: Type.String() });
const BODY_LIMIT = 4 * 2 ** 20;

/** Drip campaigns: written, looked at, changed, copied and taken away. */
export function dripCampaignEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, clock, idempotency, requireOwn, targetRules, senderRule, onDrip } = deps;

  const changing = (method: 'PUT' | 'PATCH', operation: string) =>
    endpoint({
      method,
      path: '/drip_campaigns/:id',
      operation,
      summary: 'Change a drip campaign; whoever is on their way keeps to the steps they began with',
      access: { scope: 'marketing' },
      audit: 'drip.changed',
      params: Id,
      body: Type.Object({ ...DripBody.properties, ...IfUpdatedAt }),
      bodyLimit: BODY_LIMIT,
      reply: DripReply,
      async handle({ act, caller, params, body }) {
        const wish = readDripChange(body);
        const rules = { targetRules, senderRule: senderRule.of(caller) };
        const reply = await db.tenant([act.customerId], async (tx) => {
          const id = readNumber('id', params.id);
          const before = await findDrip(tx, requireOwn, act.customerId, id, { lock: true });
          refuseOvertaken(body, before.updated_at);
          return describeDrip(tx, await changeDrip(tx, { clock, act, requireOwn, ...rules }, before, wish));
        });
        onDrip();
        return reply;
      },
    });

  return [
    endpoint({
      method: 'GET',
      path: '/drip_campaigns',
      operation: 'listDripCampaigns',
      summary: 'The drip campaigns of the customer',
      access: { scope: 'marketing' },
      audit: null,
      query: Type.Object({
        search: Parameter('A regular expression (RE2) on the name'),
        order_by: Parameter(`${DRIP_ORDERS.join(', ')}; created_at by default`),
        order: Parameter('desc (default) or asc'),
      }),
      reply: WrittenJson(Type.Object({ data: Type.Array(ListedDripReply) })),
      async handle({ caller: { customerId }, query }) {
        const search = one(query.search);
        const wanted = {
          fits: search === undefined ? null : namePattern(search),
          orderBy: readChoice('order_by', one(query.order_by), DRIP_ORDERS),
          order: readChoice('order', one(query.order), ['desc', 'asc'] as const),
        };
        const drips = await db.snapshot([customerId], (tx) => listDrips(tx, customerId, wanted));
        return writeJsonList(drips, describeListed);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/drip_campaigns',
      operation: 'createDripCampaign',
      summary: 'Write a drip campaign; it begins as a draft',
      access: { scope: 'marketing' },
      audit: 'drip.created',
      body: DripBody,
      bodyLimit: BODY_LIMIT,
      idempotent: true,
      reply: DripReply,
      async handle({ act, caller: { mode }, body, idempotency: claim }) {
        const wish = readNewDrip(body);
        return db.tenant([act.customerId], async (tx) => {
          const made = await createDrip(tx, { clock, act, requireOwn, targetRules, senderRule, mode }, wish);
          const reply = await describeDrip(tx, made);
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/drip_campaigns/:id',
      operation: 'readDripCampaign',
      summary: 'One drip campaign with its newest steps',
      access: { scope: 'marketing' },
      audit: null,
      params: Id,
      reply: DripReply,
      handle: ({ caller: { customerId }, params }) =>
        db.tenant([customerId], async (tx) =>
          describeDrip(tx, await findDrip(tx, requireOwn, customerId, readNumber('id', params.id))),
        ),
    }),
    changing('PUT', 'replaceDripCampaign'),
    changing('PATCH', 'updateDripCampaign'),
    endpoint({
      method: 'DELETE',
      path: '/drip_campaigns/:id',
      operation: 'deleteDripCampaign',
      summary: 'Take a drip campaign away; whoever is on their way through it is let go',
      access: { scope: 'marketing' },
      audit: 'drip.deleted',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, params }) {
        await db.tenant([act.customerId], async (tx) => {
          const id = readNumber('id', params.id);
          await deleteDrip(tx, { clock, act }, await findDrip(tx, requireOwn, act.customerId, id, { lock: true }));
        });
        onDrip();
        return {};
      },
    }),
    endpoint({
      method: 'POST',
      path: '/drip_campaigns/:id/copy',
      operation: 'copyDripCampaign',
      summary: 'Make a draft like a drip campaign',
      access: { scope: 'marketing' },
      audit: 'drip.copied',
      params: Id,
      idempotent: true,
      reply: DripReply,
      handle: ({ act, caller: { mode }, params, idempotency: claim }) =>
        db.tenant([act.customerId], async (tx) => {
          const drip = await findDrip(tx, requireOwn, act.customerId, readNumber('id', params.id));
          const copy = await copyDrip(tx, { clock, act, requireOwn, targetRules, senderRule, mode }, drip);
          const reply = await describeDrip(tx, copy);
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        }),
    }),
  ];
}
