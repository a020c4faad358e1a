import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readFlag } from '../../platform/http/body/flag.ts';
import { IfUpdatedAt } from '../../platform/http/body/if-updated-at.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { joinLists } from '../consent/change.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { one } from '../read-page.ts';
import { changeSubscriber } from '../subscribers/change.ts';
import { deleteSubscribers } from '../subscribers/delete.ts';
import { readFields, readLists } from '../subscribers/details.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import { countSubscribed } from '../subscribers/list.ts';
import {
  readListId,
  readOverwritingSubscriber,
  readSubscriberChange,
  SubscriberBody,
} from '../subscribers/read-subscriber.ts';
import { refusedAt } from '../subscribers/refused-at.ts';
import { readStatistics } from '../subscribers/statistics.ts';
import type { Subscriber } from '../subscribers/subscriber.ts';
import { upsertSubscriber } from '../subscribers/upsert.ts';
import type { MarketingDeps } from './deps.ts';
import { describeSubscriber, SubscriberReply } from './subscriber-reply.ts';

const One = Type.Object({ data: SubscriberReply });
const Id = Type.Object({ id: Type.String({ description: 'UUID or number' }) });
const Shown = Type.Object({
  with_stats: Parameter('true adds what became of mailings'),
  subscription_list_id: Parameter('Only how this list stands, and whether they are out of it'),
});

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

  /** What is to be shown of somebody beside what they are. */
  const readShown = async (act: Act, query: Static<typeof Shown>): Promise<WhatIsShown> => ({
    keys: await vault.of(act.customerId),
    listId: await readOwnList(act, one(query.subscription_list_id)),
    withStatistics: readFlag(one(query.with_stats)) === true,
  });

  const changing = (method: 'PUT' | 'PATCH', operation: string) =>
    endpoint({
      method,
      path: '/subscribers/:id',
      operation,
      summary: 'Change what is known of a subscriber, and put them on a list that is named in the body',
      access: { scope: 'marketing', phi: true },
      audit: 'subscriber.saved',
      params: Id,
      query: Shown,
      body: Type.Object({ ...SubscriberBody.properties, ...IfUpdatedAt }),
      reply: One,
      async handle({ act, params, query, body }) {
        const change = { ...readSubscriberChange(body.subscriber), if_updated_at: body.if_updated_at ?? null };
        const shown = await readShown(act, query);
        const { customerId } = act;
        const listId = readListId(body.subscription_list_id);
        return db.tenant([customerId], async (tx) => {
          const { id } = await findSubscriber(tx, requireOwn, customerId, params.id);
          if (listId !== null) await requireOwnList(tx, requireOwn, customerId, listId);
          const after = await changeSubscriber(tx, { clock, keys: shown.keys, act }, id, change);
          if (listId !== null) {
            await joinLists(tx, { customerId, people: [id], lists: [listId] }, evidenceOf(clock, act), false);
          }
          return { data: await describeWhole(tx, customerId, after, shown) };
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
        const wanted = readOverwritingSubscriber(body.subscriber);
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
      query: Shown,
      reply: One,
      async handle({ act, params, query }) {
        const shown = await readShown(act, query);
        return db.tenant([act.customerId], async (tx) => {
          const person = await findSubscriber(tx, requireOwn, act.customerId, params.id);
          await recordAct(tx, clock, act, { target: person.id });
          return { data: await describeWhole(tx, act.customerId, person, shown) };
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

interface WhatIsShown {
  keys: CustomerVault;
  listId: number | null;
  withStatistics: boolean;
}

/** Somebody with custom fields and lists, and with statistics where these are asked for. */
async function describeWhole(
  tx: Tx,
  customerId: number,
  person: Subscriber,
  { keys, listId, withStatistics }: WhatIsShown,
): Promise<Static<typeof SubscriberReply>> {
  const owner = { customerId, subscriberId: person.id };
  const all = await readLists(tx, owner);
  const lists = listId === null ? all : all.filter(({ id }) => id === String(listId));
  const statisticsOf = withStatistics ? await readStatistics(tx, customerId, [person.id]) : null;
  return describeSubscriber(person, {
    ...(listId !== null && lists.some(({ unsubscribed }) => unsubscribed) ? { unsubscribed: true } : {}),
    custom_fields: await readFields(tx, keys, owner),
    subscription_lists: lists,
    ...(statisticsOf === null ? {} : { statistics: statisticsOf(person.id) }),
  });
}
