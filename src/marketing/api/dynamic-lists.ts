import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { IfUpdatedAt, refuseOvertaken } from '../../platform/http/body/if-updated-at.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { one, pageInfo } from '../read-page.ts';
import { createSegment, deleteSegment, updateSegment } from '../segments/change.ts';
import { withCounts } from '../segments/count.ts';
import { explainSegment } from '../segments/explain.ts';
import { describeFilters } from '../segments/filters/describe-filters.ts';
import { listCounted } from '../segments/list-counted.ts';
import { readSegment, SegmentBody } from '../segments/read-segment.ts';
import { readSegmentQuery, SegmentListQuery } from '../segments/read-segment-query.ts';
import { findSegment, lockSegment, type Segment } from '../segments/segment.ts';
import { findSubscriber } from '../subscribers/find-subscriber.ts';
import type { MarketingDeps } from './deps.ts';
import { DynamicListReply, DynamicListsReply, describeSegment } from './dynamic-list-reply.ts';

const Id = Type.Object({ id: Type.String() });

const Explained = Type.Object({
  data: Type.Object({
    subscriber_id: Type.String({ format: 'uuid' }),
    member: Type.Boolean(),
    groups: Type.Array(
      Type.Object({
        holds: Type.Boolean(),
        conditions: Type.Array(Type.Object({ field: Type.String(), op: Type.String(), holds: Type.Boolean() })),
      }),
    ),
  }),
});

/** Segments: people by rule rather than by name. */
export function dynamicListEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, clock, idempotency, requireOwn } = deps;
  // What a segment asks for may be somebody's health: nothing of it is for readers.
  const shared = { access: { scope: 'marketing', role: 'editor' } } as const;
  const inTenant = <T>({ customerId }: Act, work: (tx: Tx) => Promise<T>) => db.tenant([customerId], work);
  const found = (tx: Tx, { customerId }: Act, id: string) => findSegment(tx, requireOwn, customerId, id);
  const asker = ({ customerId }: Act) => ({ customerId, requireOwn });

  async function describeOne(tx: Tx, act: Act, segment: Segment): Promise<Static<typeof DynamicListReply>> {
    const counted = await withCounts(tx, { clock, customerId: act.customerId }, [segment]);
    const [data] = await describe(tx, act, counted);
    return { data } as Static<typeof DynamicListReply>;
  }

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/dynamic_lists',
      operation: 'listDynamicLists',
      summary: 'The dynamic lists, everything unless use_pagination is true',
      audit: null,
      query: SegmentListQuery,
      reply: DynamicListsReply,
      handle({ act, query: wire }) {
        const query = readSegmentQuery(wire);
        return inTenant(act, async (tx) => {
          const { segments, total } = await listCounted(tx, { clock, customerId: act.customerId }, query);
          const data = await describe(tx, act, segments);
          return query.page === null ? { data } : { data, page_info: pageInfo(total, query.page) };
        });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/dynamic_lists',
      operation: 'createDynamicList',
      summary: 'Make a dynamic list from filters or from a rule in words',
      audit: 'segment.created',
      body: SegmentBody,
      idempotent: true,
      reply: DynamicListReply,
      handle: ({ act, body, idempotency: claim }) =>
        inTenant(act, async (tx) => {
          const { name, filters } = await readSegment(tx, asker(act), body);
          if (name === undefined) throw invalidField('name', 'is required');
          if (filters === undefined) throw invalidField('filters', 'is required, or rule');
          const reply = await describeOne(tx, act, await createSegment(tx, { clock, act }, { name, filters }));
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/dynamic_lists/:id',
      operation: 'readDynamicList',
      summary: 'One dynamic list',
      audit: null,
      params: Id,
      reply: DynamicListReply,
      handle: ({ act, params }) => inTenant(act, async (tx) => describeOne(tx, act, await found(tx, act, params.id))),
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      endpoint({
        ...shared,
        method,
        path: '/dynamic_lists/:id',
        operation: method === 'PATCH' ? 'updateDynamicList' : 'replaceDynamicList',
        summary: 'Change a dynamic list; what is left out stays',
        audit: 'segment.updated',
        params: Id,
        body: Type.Object({ ...SegmentBody.properties, ...IfUpdatedAt }),
        reply: DynamicListReply,
        handle: ({ act, params, body }) =>
          inTenant(act, async (tx) => {
            await lockSegment(tx, act.customerId, params.id);
            const before = await found(tx, act, params.id);
            refuseOvertaken(body, before.updated_at);
            const wish = await readSegment(tx, asker(act), body);
            return describeOne(tx, act, await updateSegment(tx, { clock, act }, before, wish));
          }),
      }),
    ),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/dynamic_lists/:id',
      operation: 'deleteDynamicList',
      summary: 'Take a dynamic list away; the people stay',
      audit: 'segment.deleted',
      params: Id,
      reply: Type.Object({}),
      handle: ({ act, params }) =>
        inTenant(act, async (tx) => {
          await deleteSegment(tx, { clock, act }, await found(tx, act, params.id));
          return {};
        }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/dynamic_lists/:id/explain',
      operation: 'explainDynamicList',
      summary: 'Why somebody is in a dynamic list or not',
      audit: 'segment.explained',
      params: Id,
      query: Type.Object({ subscriber_id: Parameter('UUID or number of the person') }),
      reply: Explained,
      handle: ({ act, params, query }) =>
        inTenant(act, async (tx) => {
          const wanted = one(query.subscriber_id);
          if (wanted === undefined) throw invalidField('subscriber_id', 'is required');
          const { customerId } = act;
          const segment = await found(tx, act, params.id);
          const person = await findSubscriber(tx, requireOwn, customerId, wanted, 'subscriber_id');
          const described = describeFilters(segment.filters, await listFieldTypes(tx, customerId));
          const occasion = { customerId, at: clock.now() };
          const why = await explainSegment(tx, occasion, segment, { subscriberId: person.id, described });
          await recordAct(tx, clock, act, { target: segment.id, details: { subscriber: person.id } });
          return { data: { subscriber_id: person.id, ...why } };
        }),
    }),
  ];
}

async function describe(tx: Tx, { customerId }: Act, segments: readonly Segment[]) {
  const fields = await listFieldTypes(tx, customerId);
  return segments.map((segment) => describeSegment(segment, fields));
}
