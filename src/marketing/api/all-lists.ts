import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { PageInfo } from '../../platform/http/parameter.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import { defaultListId } from '../lists/default-list.ts';
import { listLists, type SubscriptionList } from '../lists/list.ts';
import { pageInOrder } from '../page-in-order.ts';
import { pageInfo } from '../read-page.ts';
import { withCounts } from '../segments/count.ts';
import { listSegments } from '../segments/list.ts';
import { readSegmentQuery, SegmentListQuery } from '../segments/read-segment-query.ts';
import type { Segment } from '../segments/segment.ts';
import type { MarketingDeps } from './deps.ts';
import { DynamicList, describeSegment } from './dynamic-list-reply.ts';
import { describeList, ListReply } from './subscription-lists.ts';

/** Lists of both kinds together: those that people subscribe to and those of people by rule. */
export function allListsEndpoint({ db, clock }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/lists',
    operation: 'listLists',
    summary: 'Subscription lists and dynamic lists together, everything unless use_pagination is true',
    // As for dynamic lists: what they ask for may be somebody's health.
    access: { scope: 'marketing', role: 'editor' },
    audit: null,
    query: SegmentListQuery,
    reply: Type.Object({
      data: Type.Array(Type.Union([ListReply, DynamicList])),
      page_info: Type.Optional(PageInfo),
    }),
    handle({ caller: { customerId }, query: wire }) {
      const query = readSegmentQuery(wire);
      const everything = { ...query, page: null };
      return db.tenant([customerId], async (tx) => {
        const count = async (segments: Segment[]) =>
          query.withStats ? withCounts(tx, { clock, customerId }, segments) : segments;
        await defaultListId(tx, clock, customerId);
        const { lists } = await listLists(tx, customerId, everything);
        const { segments } = await listSegments(tx, customerId, everything);
        const countedFirst = query.orderBy === 'subscriber_count';
        const known = countedFirst ? await count(segments) : segments;
        const wanted = pageInOrder<SubscriptionList | Segment>([...lists, ...known], query);
        const shown = wanted.filter(isSegment);
        const counted = countedFirst && query.page === null ? shown : await count(shown);
        const byId = new Map(counted.map((segment) => [segment.id, segment]));
        const fields = await listFieldTypes(tx, customerId);
        const data = wanted.map((list) =>
          isSegment(list) ? describeSegment(byId.get(list.id) ?? list, fields) : describeList(list),
        );
        const total = lists.length + segments.length;
        return query.page === null ? { data } : { data, page_info: pageInfo(total, query.page) };
      });
    },
  });
}

function isSegment(list: SubscriptionList | Segment): list is Segment {
  return 'filters' in list;
}
