import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { readFlag } from '../../platform/http/body/flag.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { FiltersWire } from '../bulk/read-bulk.ts';
import { one, pageInfo, type Wire } from '../read-page.ts';
import { countSubscribers, listSubscribers } from '../subscribers/list.ts';
import { ListId } from '../subscribers/read-subscriber.ts';
import { readSubscriberQuery } from '../subscribers/read-subscriber-query.ts';
import { readStatistics } from '../subscribers/statistics.ts';
import type { MarketingDeps } from './deps.ts';
import { describeSubscriber, SubscriberReply } from './subscriber-reply.ts';

const ORDERS = 'created_at (default), updated_at, email, first_name or last_name';

const Reply = Type.Object({
  data: Type.Array(SubscriberReply),
  total_count: Type.Integer(),
  search_after: Type.Union([Type.String(), Type.Null()]),
  page_info: PageInfo,
});

const Text = (description: string) => Type.Optional(Type.Union([Type.String({ description }), Type.Null()]));

const SearchBody = Type.Object({
  items: Type.Optional(Type.Integer({ description: 'Page size, 1 to 1000, 50 by default' })),
  page: Type.Optional(Type.Integer({ description: '1 and up' })),
  search: Text('Words that stand in name, address or phone number; * alone for everybody'),
  order_by: Text(ORDERS),
  order: Text('desc (default) or asc'),
  subscription_list_id: Type.Optional(ListId),
  dynamic_list_id: Text('Only those in this segment'),
  filters: FiltersWire,
});

/** The people of a customer, page by page. */
export function subscriberPageEndpoints({ db, clock, requireOwn }: MarketingDeps): Endpoint[] {
  const readPeople = (act: Act, wire: Wire): Promise<Static<typeof Reply>> =>
    db.tenant([act.customerId], async (tx) => {
      const query = await readSubscriberQuery(tx, { requireOwn, clock }, act.customerId, wire);
      const total = await countSubscribers(tx, query.people);
      // To skip everybody takes as long as to read them.
      const isBeyond = query.after === null && (query.page - 1) * query.items >= total;
      const people = isBeyond ? [] : await listSubscribers(tx, query);
      const ids = people.map(({ id }) => id);
      const withStatistics = readFlag(one(wire.with_stats)) === true;
      const statisticsOf = withStatistics ? await readStatistics(tx, act.customerId, ids) : null;
      await recordAct(tx, clock, act, { details: { people: people.length, subscribers: ids } });
      return {
        data: people.map((person) =>
          describeSubscriber(person, statisticsOf === null ? {} : { statistics: statisticsOf(person.id) }),
        ),
        total_count: total,
        search_after: query.orderBy === 'created_at' && people.length === query.items ? (ids.at(-1) ?? null) : null,
        page_info: pageInfo(total, query),
      };
    });

  return [
    endpoint({
      method: 'GET',
      path: '/subscribers',
      operation: 'listSubscribers',
      summary: 'The subscribers of the customer',
      access: { scope: 'marketing' },
      audit: 'subscribers.listed',
      query: Type.Object({
        items: Parameter('Page size, 1 to 1000, 50 by default'),
        page: Parameter('1 and up'),
        search: Parameter('Words that stand in name, address or phone number; * alone for everybody'),
        order_by: Parameter(ORDERS),
        order: Parameter('desc (default) or asc'),
        subscription_list_id: Parameter('Only those who get what this list sends'),
        dynamic_list_id: Parameter('Only those in this segment'),
        filters: Parameter('Only those who fit, as [[{field, op, terms}]]'),
        with_stats: Parameter('true adds what became of mailings'),
        search_after: Parameter('The search_after of the page before, in place of page'),
      }),
      reply: Reply,
      handle: ({ act, query }) => readPeople(act, query),
    }),
    endpoint({
      method: 'POST',
      path: '/subscribers/search',
      operation: 'searchSubscribers',
      summary: 'The same list, asked for in a body: names and addresses stay out of addresses and their logs',
      access: { scope: 'marketing' },
      audit: 'subscribers.listed',
      body: SearchBody,
      reply: Reply,
      handle: ({ act, body }) => readPeople(act, asParameters(body)),
    }),
  ];
}

/** What a body says, as the parameters of an address would say it. */
function asParameters(body: Static<typeof SearchBody>): Wire {
  const asked = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    asked.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
