import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readFlag } from '../../platform/http/flag.ts';
import { Parameter } from '../../platform/http/parameter.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { one } from '../read-page.ts';
import { changeSubscriber } from '../subscribers/change.ts';
import { deleteSubscribers } from '../subscribers/delete.ts';
import { readFields, readLists } from '../subscribers/details.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import { countSubscribed } from '../subscribers/list.ts';
import {
  readListId,
  readSubscriber,
  readSubscriberChange,
  SubscriberBody,
  SubscriberChangeBody,
} from '../subscribers/read-subscriber.ts';
import { refusedAt } from '../subscribers/refused-at.ts';
import { readStatistics } from '../subscribers/statistics.ts';
import { upsertSubscriber } from '../subscribers/upsert.ts';
import type { MarketingDeps } from './deps.ts';
import { describeSubscriber, SubscriberReply } from './subscriber-reply.ts';

const One = Type.Object({ data: SubscriberReply });
const Id = Type.Object({ id: Type.String({ description: 'UUID or number' }) });

/** The people of a customer, one by one. */
export function subscriberEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, vault, clock, idempotency, requireOwn } = deps;

  /** Whether a list is the customer's; there may be none. */
  const readOwnList = async (act: Act, wire: string | undefined) => {
    const listId = readListId(wire);
    if (listId !== null)
      await db.tenant([act.customerId], (tx) => requireOwnList(tx, requireOwn, act.customerId, listId));
    return listId;
  };

  const changing = (method: 'PUT' | 'PATCH', operation: string) =>
    endpoint({
      method,
      path: '/subscribers/:id',
      operation,
      summary: 'Change what is known of a subscriber',
      access: { scope: 'marketing', phi: true },
      audit: 'subscriber.saved',
      params: Id,
      body: SubscriberChangeBody,
      reply: One,
      async handle({ act, params, body }) {
        const change = readSubscriberChange(body.subscriber);
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const before = await findSubscriber(tx, requireOwn, act.customerId, params.id);
          return { data: describeSubscriber(await changeSubscriber(tx, { clock, keys, act }, before, change)) };
        });
      },
    });

  return [
    endpoint({
      method: 'POST',
      path: '/subscribers',
      operation: 'createSubscriber',
      summary: 'Add a subscriber, or update the one with that email',
      access: { scope: 'marketing', phi: true },
      audit: 'subscriber.saved',
      body: SubscriberBody,
      idempotent: true,
      reply: One,
      async handle({ act, body, idempotency: claim }) {
        const wanted = readSubscriber(body.subscriber);
        const listId = readListId(body.subscription_list_id);
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          if (listId !== null) await requireOwnList(tx, requireOwn, act.customerId, listId);
          const saved = await upsertSubscriber(tx, { clock, keys, act }, wanted, listId).catch(refusedAt('subscriber'));
          const reply = { data: describeSubscriber(saved) };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/subscribers/subscribed_count',
      operation: 'countSubscribed',
      summary: 'How many get what a list sends; without a list, how many have not opted out',
      access: { scope: 'marketing' },
      audit: null,
      query: Type.Object({ subscription_list_id: Parameter('The list') }),
      reply: Type.Object({ data: Type.Integer() }),
      async handle({ act, query }) {
        const listId = await readOwnList(act, one(query.subscription_list_id));
        return { data: await db.tenant([act.customerId], (tx) => countSubscribed(tx, act.customerId, listId)) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/subscribers/:id',
      operation: 'readSubscriber',
      summary: 'One subscriber with custom fields and lists',
      access: { scope: 'marketing' },
      audit: 'subscriber.read',
      params: Id,
      query: Type.Object({
        with_stats: Parameter('true adds what became of mailings'),
        subscription_list_id: Parameter('Only how this list stands'),
      }),
      reply: One,
      async handle({ act, params, query }) {
        const keys = await vault.of(act.customerId);
        const listId = await readOwnList(act, one(query.subscription_list_id));
        return db.tenant([act.customerId], async (tx) => {
          const person = await findSubscriber(tx, requireOwn, act.customerId, params.id);
          const owner = { customerId: act.customerId, subscriberId: person.id };
          const lists = await readLists(tx, owner);
          const wanted = readFlag(one(query.with_stats)) === true;
          const statistics = wanted ? (await readStatistics(tx, act.customerId, [person.id]))(person.id) : null;
          const more = {
            custom_fields: await readFields(tx, keys, owner),
            subscription_lists: lists.filter(({ id }) => listId === null || id === String(listId)),
            ...(statistics === null ? {} : { statistics }),
          };
          await recordAct(tx, clock, act, { target: person.id });
          return { data: describeSubscriber(person, more) };
        });
      },
    }),
    changing('PUT', 'replaceSubscriber'),
    changing('PATCH', 'updateSubscriber'),
    endpoint({
      method: 'DELETE',
      path: '/subscribers/:id',
      operation: 'deleteSubscriber',
      summary: 'Remove a subscriber; an opt-out is remembered',
      access: { scope: 'marketing' },
      audit: 'subscriber.deleted',
      params: Id,
      reply: Type.Object({}),
      async handle({ act, params }) {
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const { id } = await findSubscriber(tx, requireOwn, act.customerId, params.id);
          await deleteSubscribers(tx, { clock, keys }, act.customerId, [id]);
          await recordAct(tx, clock, act, { target: id });
          return {};
        });
      },
    }),
  ];
}
