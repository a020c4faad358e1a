import { Type } from 'typebox';
import { PageInfo } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
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

type AnyList = SubscriptionList | Segment;

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
        const count = async (all: AnyList[]) =>
          query.withStats ? countAmong(all, (some) => withCounts(tx, { clock, customerId }, some)) : all;
        await defaultListId(tx, clock, customerId);
        const { lists } = await listLists(tx, customerId, everything);
        const { segments } = await listSegments(tx, customerId, everything);
        const wanted = await pageInOrder<AnyList>([...lists, ...segments], query, count);
        const fields = await listFieldTypes(tx, customerId);
        const data = wanted.map((list) => (isSegment(list) ? describeSegment(list, fields) : describeList(list)));
        const total = lists.length + segments.length;
        return query.page === null ? { data } : { data, page_info: pageInfo(total, query.page) };
      });
    },
  });
}

/** Counts the segments among lists; the others are counted as they are. */
async function countAmong(lists: AnyList[], count: (segments: Segment[]) => Promise<Segment[]>): Promise<AnyList[]> {
  const counted = new Map((await count(lists.filter(isSegment))).map((segment) => [segment.id, segment]));
  return lists.map((list) => (isSegment(list) ? (counted.get(list.id) ?? list) : list));
}

function isSegment(list: AnyList): list is Segment {
  return 'filters' in list;
}
