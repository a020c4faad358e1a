import { type Static, Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readFlag } from '../../platform/http/body/flag.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { refuseUnstorable } from '../../platform/http/body/json-body.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { LIST_ORDERS } from '../list-order.ts';
import { changeList, createList, deleteList } from '../lists/change.ts';
import { defaultListId } from '../lists/default-list.ts';
import { listLists, lockList, readList, type SubscriptionList } from '../lists/list.ts';
import { ListBody, readListChange, readNewList } from '../lists/read-list.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { one, pageInfo, readChoice, readNumber, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

export const ListReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('subscription_list'),
  attributes: Type.Object({
    name: Type.String(),
    is_default: Type.Boolean(),
    subscriber_count: Type.Integer(),
    form_id: Type.Union([Type.String(), Type.Null()]),
    double_opt_in: Type.Boolean(),
    consent_text: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  }),
});

const One = Type.Object({ data: ListReply });
const Id = Type.Object({ id: Type.String({ description: 'A number, or `default`' }) });
const PAGE = { items: 10, most: 1_000 };

/** The lists that people subscribe to. */
export function subscriptionListEndpoints({ db, vault, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  async function findId(tx: Tx, customerId: number, id: string): Promise<number> {
    if (id === 'default') return defaultListId(tx, clock, customerId);
    const number = readNumber('id', id);
    await requireOwnList(tx, requireOwn, customerId, number, 'id');
    return number;
  }

  /** Works on one list and answers how it stands then. */
  const onList = (act: Act, id: string, work: (tx: Tx, id: number) => Promise<void>) =>
    db.tenant([act.customerId], async (tx) => {
      const listId = await findId(tx, act.customerId, id);
      await work(tx, listId);
      return { data: describeList(await readList(tx, act.customerId, listId)) };
    });

  const changing = (method: 'PUT' | 'PATCH', operation: string) =>
    endpoint({
      method,
      path: '/subscription_lists/:id',
      operation,
      summary: 'Change a list',
      access: { scope: 'marketing' },
      audit: 'list.changed',
      params: Id,
      body: Type.Intersect([ListBody, Type.Object(IfUpdatedAt)]),
      reply: One,
      handle: ({ act, params, body }) => {
        const change = readListChange(body);
        return onList(act, params.id, async (tx, id) => {
          refuseOvertaken(body, await lockList(tx, act.customerId, id));
          await changeList(tx, { clock, act }, id, change);
        });
      },
    });

  return [
    endpoint({
      method: 'GET',
      path: '/subscription_lists',
      operation: 'listSubscriptionLists',
      summary: 'The lists of the customer',
      access: { scope: 'marketing' },
      audit: null,
      query: Type.Object({
        search: Parameter('Part of the name, ignoring case'),
        order_by: Parameter('created_at (default), updated_at, name or subscriber_count'),
        order: Parameter('desc (default) or asc'),
        use_pagination: Parameter('true for pages; everything otherwise'),
        page: Parameter('1 and up'),
        items: Parameter('Page size, 10 by default, 1000 at most'),
        with_stats: Parameter('Counts are always there'),
      }),
      reply: Type.Object({ data: Type.Array(ListReply), page_info: Type.Optional(PageInfo) }),
      async handle({ caller: { customerId }, query }) {
        const page = readFlag(one(query.use_pagination)) === true ? readPage(query, PAGE) : null;
        const search = one(query.search) ?? null;
        if (search !== null) refuseUnstorable(search);
        return db.tenant([customerId], async (tx) => {
          await defaultListId(tx, clock, customerId);
          const { lists, total } = await listLists(tx, customerId, {
            search,
            orderBy: readChoice('order_by', one(query.order_by), LIST_ORDERS),
            order: readChoice('order', one(query.order), ['desc', 'asc']),
            page,
          });
          return { data: lists.map(describeList), ...(page === null ? {} : { page_info: pageInfo(total, page) }) };
        });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/subscription_lists',
      operation: 'createSubscriptionList',
      summary: 'Make a list',
      access: { scope: 'marketing' },
      audit: 'list.created',
      body: ListBody,
      idempotent: true,
      reply: One,
      async handle({ act, body, idempotency: claim }) {
        const wanted = readNewList(body);
        return db.tenant([act.customerId], async (tx) => {
          const id = await createList(tx, { clock, act }, wanted);
          const reply = { data: describeList(await readList(tx, act.customerId, id)) };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/subscription_lists/:id',
      operation: 'readSubscriptionList',
      summary: 'One list',
      access: { scope: 'marketing' },
      audit: null,
      params: Id,
      reply: One,
      handle: ({ act, params }) => onList(act, params.id, async () => {}),
    }),
    changing('PUT', 'replaceSubscriptionList'),
    changing('PATCH', 'updateSubscriptionList'),
    endpoint({
      method: 'DELETE',
      path: '/subscription_lists/:id',
      operation: 'deleteSubscriptionList',
      summary: 'Remove a list; the people stay',
      access: { scope: 'marketing' },
      audit: 'list.deleted',
      params: Id,
      reply: Type.Object({
        held_subscriber_ids: Type.Optional(
          Type.Array(Type.String({ format: 'uuid' }), {
            description: 'Of whom a legal hold keeps that they were on it',
          }),
        ),
      }),
      async handle({ act, params }) {
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const held = await deleteList(tx, { clock, keys, act }, await findId(tx, act.customerId, params.id));
          return held.length === 0 ? {} : { held_subscriber_ids: held };
        });
      },
    }),
  ];
}

export function describeList(list: SubscriptionList): Static<typeof ListReply> {
  return {
    id: String(list.id),
    type: 'subscription_list',
    attributes: {
      name: list.name,
      is_default: list.is_default,
      subscriber_count: list.subscriber_count,
      form_id: list.form_id,
      double_opt_in: list.double_opt_in,
      consent_text: list.consent_text,
      created_at: list.created_at.toISOString(),
      updated_at: list.updated_at.toISOString(),
    },
  };
}
