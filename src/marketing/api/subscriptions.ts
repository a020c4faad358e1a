import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { leaveLists } from '../consent/change.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { optInPeople } from '../consent/opt-out.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { one, pageInfo, readPage } from '../read-page.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import { readListId } from '../subscribers/read-subscriber.ts';
import { listSubscriptions } from '../subscriptions/list.ts';
import { findSubscription, type Subscription, selectSubscriptions } from '../subscriptions/subscription.ts';
import type { MarketingDeps } from './deps.ts';

const SubscriptionReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Literal('subscription'),
  attributes: Type.Object({
    subscription_list_id: Type.String(),
    subscriber_id: Type.Integer(),
    subscriber_uuid: Type.String({ format: 'uuid' }),
    pending: Type.Boolean(),
    unsubscribed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
  }),
});

const One = Type.Object({ data: SubscriptionReply });
const Id = Type.Object({ id: Type.String() });
const AnyId = Type.Union([Type.String(), Type.Integer()]);
const PAGE = { items: 1_000, most: 1_000 };

/** Who is on which list. */
export function subscriptionEndpoints({ db, vault, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/subscriptions',
      operation: 'listSubscriptions',
      summary: 'Who is or was on which list',
      access: { scope: 'marketing', role: 'editor' },
      audit: 'subscriptions.listed',
      query: Type.Object({
        subscriber_id: Parameter('Only those of this person, by UUID or number'),
        subscription_list_id: Parameter('Only those of this list'),
        page: Parameter('1 and up'),
        items: Parameter('Page size, 1000 by default and at most'),
      }),
      reply: Type.Object({ data: Type.Array(SubscriptionReply), page_info: PageInfo }),
      async handle({ act, query }) {
        const { customerId } = act;
        const page = readPage(query, PAGE);
        const listId = readListId(one(query.subscription_list_id));
        const person = one(query.subscriber_id);
        return db.tenant([customerId], async (tx) => {
          if (listId !== null) await requireOwnList(tx, requireOwn, customerId, listId);
          const subscriberId =
            person === undefined
              ? null
              : (await findSubscriber(tx, requireOwn, customerId, person, 'subscriber_id')).id;
          const { subscriptions, total } = await listSubscriptions(tx, customerId, { subscriberId, listId, ...page });
          const subscribers = [...new Set(subscriptions.map(({ subscriber_id: id }) => id))];
          await recordAct(tx, clock, act, { details: { subscribers } });
          return { data: subscriptions.map(describe), page_info: pageInfo(total, page) };
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/subscriptions',
      operation: 'createSubscription',
      summary: 'Put somebody on a list, also somebody who has left it or opted out',
      access: { scope: 'marketing' },
      audit: 'subscription.created',
      body: Type.Object({ subscription: Type.Object({ subscription_list_id: AnyId, subscriber_id: AnyId }) }),
      idempotent: true,
      reply: One,
      async handle({ act, body: { subscription: wanted }, idempotency: claim }) {
        const { customerId } = act;
        const listId = readListId(wanted.subscription_list_id);
        if (listId === null) throw invalidField('subscription.subscription_list_id', 'must not be empty');
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          await requireOwnList(tx, requireOwn, customerId, listId);
          const person = await findSubscriber(
            tx,
            requireOwn,
            customerId,
            String(wanted.subscriber_id),
            'subscriber_id',
          );
          await optInPeople(tx, keys, { customerId, people: [person.id], lists: [listId] }, evidenceOf(clock, act));
          const made = await selectSubscriptions(tx, customerId)
            .where('c.subscription_list_id', '=', listId)
            .where('c.subscriber_id', '=', person.id)
            .executeTakeFirst();
          if (made === undefined) {
            // The person or the list was deleted at this very moment.
            await findSubscriber(tx, requireOwn, customerId, person.id, 'subscriber_id');
            throw missingField('subscription_list_id', 'no such list');
          }
          await recordAct(tx, clock, act, { target: made.id });
          const reply = { data: describe(made) };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/subscriptions/:id',
      operation: 'readSubscription',
      summary: 'That somebody is or was on a list',
      access: { scope: 'marketing', role: 'editor' },
      audit: 'subscription.read',
      params: Id,
      reply: One,
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const found = await findSubscription(tx, requireOwn, act.customerId, params.id);
          await recordAct(tx, clock, act, { target: found.id, details: { subscriber: found.subscriber_id } });
          return { data: describe(found) };
        }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/subscriptions/:id',
      operation: 'deleteSubscription',
      summary: 'Take somebody off a list; that they were on it is remembered',
      access: { scope: 'marketing' },
      audit: 'subscription.ended',
      params: Id,
      reply: Type.Object({}),
      handle: ({ act, params }) =>
        db.tenant([act.customerId], async (tx) => {
          const { customerId } = act;
          const found = await findSubscription(tx, requireOwn, customerId, params.id);
          const place = { customerId, people: [found.subscriber_id], lists: [found.subscription_list_id] };
          await leaveLists(tx, place, evidenceOf(clock, act));
          await recordAct(tx, clock, act, { target: found.id });
          return {};
        }),
    }),
  ];
}

function describe(row: Subscription): Static<typeof SubscriptionReply> {
  return {
    id: row.id,
    type: 'subscription',
    attributes: {
      subscription_list_id: String(row.subscription_list_id),
      subscriber_id: row.number,
      subscriber_uuid: row.subscriber_id,
      pending: row.pending,
      unsubscribed_at: row.unsubscribed_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
    },
  };
}
