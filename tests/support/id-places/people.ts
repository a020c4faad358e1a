import { randomUUID } from 'node:crypto';
import type { Owner } from '../owner.ts';
import { inPath, NO_NUMBER, NO_SUBSCRIBER, NO_UUID, type Place, spellings } from './place.ts';

const subscriber = { email: 'stranger@example.net' };

const ofImport = (method: string, rest = '') =>
  inPath(method, (id) => `/v1/marketing/imports/${id}${rest}`, {
    foreign: ({ importId }) => spellings(importId),
    unknown: NO_UUID,
  });

const NO_LIST = ['999999', '0', '-1', 'malformed', randomUUID()];
const ofList = { foreign: ({ listId }: Owner) => [String(listId)], unknown: NO_LIST };
const ofPerson = {
  foreign: ({ subscriberId, subscriberNumber }: Owner) => [...spellings(subscriberId), subscriberNumber],
  unknown: NO_SUBSCRIBER,
};

/** The id of a list in the query of an operation. */
const listInQuery = (path: (asker: Owner) => string, method = 'GET', body?: object) =>
  inPath(method, (id, asker) => `/v1/marketing${path(asker)}?subscription_list_id=${id}`, {
    ...ofList,
    name: 'subscription_list_id',
    ...(body && { body }),
  });

/** The id of somebody in the path. */
const ofSubscriber = (method: string, rest = '', body?: object) =>
  inPath(method, (id) => `/v1/marketing/subscribers/${id}${rest}`, {
    foreign: (owner) => (method === 'DELETE' ? [owner.leavingSubscriberIds[0]] : ofPerson.foreign(owner)),
    unknown: [...NO_SUBSCRIBER, '%00'],
    ...(body && { body }),
  });

/** The ids of a change of somebody. */
const ofChange = (method: string, body: object): Place[] => [
  ofSubscriber(method, '', body),
  listInQuery(({ subscriberId }) => `/subscribers/${subscriberId}`, method, body),
  {
    name: 'subscription_list_id',
    ask: (app, { key, subscriberId }, id) =>
      app.request(method, `/v1/marketing/subscribers/${subscriberId}`, {
        key,
        body: { ...body, subscription_list_id: id },
      }),
    ...ofList,
    whenForeign: 403,
    whenUnknown: 404,
  },
];

/** The id of a list in the path. */
const ofSubscriptionList = (method: string, body?: object, rest = '') =>
  inPath(method, (id) => `/v1/marketing/subscription_lists/${id}${rest}`, {
    foreign: ({ listId, leavingListId }) => [String(method === 'DELETE' ? leavingListId : listId)],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

/** The id of a custom field in the path. */
const ofFieldType = (method: string, body?: object) =>
  inPath(method, (id) => `/v1/marketing/subscriber_custom_field_types/${id}`, {
    foreign: ({ fieldTypeIds: [kept, leaving] }) => (method === 'DELETE' ? [leaving] : spellings(kept)),
    unknown: NO_UUID,
    ...(body && { body }),
  });

/** An id in the body of an operation of the Marketing area. */
const inMarketingBody = (
  path: string,
  name: string,
  { foreign, unknown }: Pick<Place, 'foreign' | 'unknown'>,
  bodyWith: (id: string, asker: Owner) => object,
): Place => ({
  name,
  ask: (app, asker, id) => app.request('POST', `/v1/marketing${path}`, { key: asker.key, body: bodyWith(id, asker) }),
  foreign,
  whenForeign: 403,
  unknown,
  whenUnknown: 404,
});

const inSegment = { foreign: ({ segmentIds: [kept] }: Owner) => spellings(kept), unknown: NO_UUID };

/** A list by its number: where a segment is named beside it, it takes no other. */
const ofPlainList = { ...ofList, unknown: NO_LIST.slice(0, -1) };

/** An id in the body of the export of a segment, which is the asker's own unless the body says otherwise. */
const besideSegment = (name: string, of: Pick<Place, 'foreign' | 'unknown'>, bodyWith: (id: string) => object) =>
  inMarketingBody('/export_dynamic_list_csv', name, of, (id, { segmentIds: [own] }) => ({
    email: 'desk@example.net',
    dynamic_list_id: own,
    ...bodyWith(id),
  }));

/** Where ids stand in a body that says which people are meant. */
function ofMany(path: string, beside: object = {}): Place[] {
  const from = (id: string) => ({ ...beside, from_subscription_list_id: id });
  return [
    inMarketingBody(path, 'subscriber_ids', ofPerson, (id) => ({ ...beside, subscriber_ids: [id] })),
    inMarketingBody(path, 'except_ids', ofPerson, (id) => ({ ...beside, search: 'nobody', except_ids: [id] })),
    inMarketingBody(path, 'from_subscription_list_id', ofList, from),
    inMarketingBody(path, 'from_subscription_list_id', { ...inSegment, unknown: [randomUUID()] }, from),
    inMarketingBody(path, 'dynamic_list_id', inSegment, (id) => ({ ...beside, dynamic_list_id: id })),
    inMarketingBody(path, 'list in filters', ofList, (id) => ({
      ...beside,
      filters: [[{ field: 'list', op: 'is', terms: [id] }]],
    })),
  ];
}

/** The ids of a request about many people. */
function ofBulk(operation: string, takesLists = true): Place[] {
  const path = `/subscriptions/${operation}`;
  return [
    ...ofMany(path),
    ...(takesLists
      ? [
          inMarketingBody(path, 'subscription_list_ids', ofList, (id) => ({
            subscriber_ids: [],
            subscription_list_ids: [id],
          })),
        ]
      : []),
  ];
}

/** The id of a bulk job in the path. */
const ofBulkJob = (rest = '') =>
  inPath('GET', (id) => `/v1/marketing/bulk_jobs/${id}${rest}`, {
    foreign: ({ exportId }) => spellings(exportId),
    unknown: NO_UUID,
    name: 'bid',
  });

const ofSubscription = (method: string) =>
  inPath(method, (id) => `/v1/marketing/subscriptions/${id}`, {
    foreign: ({ subscriptionId }) => spellings(subscriptionId),
    unknown: NO_UUID,
  });

/** The ids in the requests about people and lists. */
export const PEOPLE_PLACES: Record<string, Place[]> = {
  createSubscriber: [
    {
      name: 'subscription_list_id',
      ask: (app, { key }, id) =>
        app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber, subscription_list_id: id } }),
      foreign: ({ listId }) => [String(listId)],
      whenForeign: 403,
      unknown: ['999999', '0', '-1', 'malformed', randomUUID()],
      whenUnknown: 404,
    },
  ],
  createImport: [
    {
      name: 'subscription_list_id',
      ask: (app, { key }, id) =>
        app.request('POST', `/v1/marketing/imports?subscription_list_id=${id}`, {
          key,
          headers: { 'content-type': 'text/csv' },
          raw: 'email\nstranger@example.net\n',
        }),
      foreign: ({ listId }) => [String(listId)],
      whenForeign: 403,
      unknown: ['999999', '0', '-1', 'malformed', randomUUID()],
      whenUnknown: 404,
    },
  ],
  listImports: [],
  readImport: [ofImport('GET')],
  listImportRejects: [ofImport('GET', '/rejects')],
  exportImportRejects: [ofImport('GET', '/rejects/csv')],
  startImport: [ofImport('POST', '/start')],
  undoImport: [ofImport('POST', '/undo')],
  listSubscribers: [
    listInQuery(() => '/subscribers'),
    inPath('GET', (id) => `/v1/marketing/subscribers?dynamic_list_id=${id}`, { ...inSegment, name: 'dynamic_list_id' }),
    inPath('GET', (id) => `/v1/marketing/subscribers?filters=[[{"field":"list","op":"is","terms":["${id}"]}]]`, {
      ...ofList,
      name: 'list in filters',
    }),
  ],
  searchSubscribers: [
    inMarketingBody('/subscribers/search', 'subscription_list_id', ofList, (id) => ({ subscription_list_id: id })),
    inMarketingBody('/subscribers/search', 'dynamic_list_id', inSegment, (id) => ({ dynamic_list_id: id })),
    inMarketingBody('/subscribers/search', 'list in filters', ofList, (id) => ({
      filters: [[{ field: 'list', op: 'is', terms: [id] }]],
    })),
  ],
  countSubscribed: [listInQuery(() => '/subscribers/subscribed_count')],
  readSubscriber: [ofSubscriber('GET'), listInQuery(({ subscriberId }) => `/subscribers/${subscriberId}`)],
  readSubscriberStory: [ofSubscriber('GET', '/story')],
  replaceSubscriber: ofChange('PUT', { subscriber: { last_name: 'changed' } }),
  updateSubscriber: ofChange('PATCH', { subscriber: { last_name: 'changed again' } }),
  createSubscribers: [
    inMarketingBody('/subscribers_bulk_create', 'subscription_list_id', ofList, (id) => ({
      subscribers: [subscriber],
      subscription_list_id: id,
    })),
  ],
  listSubscriptions: [
    listInQuery(() => '/subscriptions'),
    inPath('GET', (id) => `/v1/marketing/subscriptions?subscriber_id=${id}`, { ...ofPerson, name: 'subscriber_id' }),
  ],
  createSubscription: [
    {
      ...inMarketingBody('/subscriptions', 'subscription_list_id', ofList, () => ({})),
      ask: (app, { key, subscriberId }, id) => {
        const subscription = { subscription_list_id: id, subscriber_id: subscriberId };
        return app.request('POST', '/v1/marketing/subscriptions', { key, body: { subscription } });
      },
    },
    {
      ...inMarketingBody('/subscriptions', 'subscriber_id', ofPerson, () => ({})),
      ask: (app, { key, listId }, id) => {
        const subscription = { subscription_list_id: listId, subscriber_id: id };
        return app.request('POST', '/v1/marketing/subscriptions', { key, body: { subscription } });
      },
    },
  ],
  readSubscription: [ofSubscription('GET')],
  deleteSubscription: [ofSubscription('DELETE')],
  subscribePeople: ofBulk('subscribe'),
  unsubscribePeople: ofBulk('unsubscribe'),
  subscribeSegment: ofBulk('dynamic_bulk_subscribe'),
  unsubscribeSegment: ofBulk('dynamic_bulk_unsubscribe'),
  optInPeople: ofBulk('bulk_global_subscribe', false),
  optOutPeople: ofBulk('bulk_global_unsubscribe', false),
  listBulkJobs: [],
  readBulkJob: [ofBulkJob()],
  exportSubscribers: [
    inMarketingBody('/subscribers_export_csv', 'subscription_list_id', ofList, (id) => ({
      email: 'desk@example.net',
      subscription_list_id: id,
    })),
    ...ofMany('/subscribers_export_csv', { email: 'desk@example.net' }),
  ],
  exportDynamicList: [
    besideSegment('dynamic_list_id', inSegment, (id) => ({ dynamic_list_id: id })),
    besideSegment('subscription_list_id', ofPlainList, (id) => ({ subscription_list_id: id })),
    besideSegment('from_subscription_list_id', ofPlainList, (id) => ({ from_subscription_list_id: id })),
    besideSegment('subscriber_ids', ofPerson, (id) => ({ subscriber_ids: [id] })),
    besideSegment('except_ids', ofPerson, (id) => ({ except_ids: [id] })),
    besideSegment('list in filters', ofList, (id) => ({ filters: [[{ field: 'list', op: 'is', terms: [id] }]] })),
  ],
  readExportFile: [ofBulkJob('/file')],
  receiveForm: [
    inMarketingBody(
      '/webhooks/receive_paubox_form',
      'form_id',
      { foreign: ({ feedingFormId }) => spellings(feedingFormId), unknown: NO_UUID },
      (id) => ({ form_id: id, email: `${randomUUID()}@example.net` }),
    ),
  ],
  createDripEvent: [
    inMarketingBody('/drip_events', 'subscriber_id', ofPerson, (id) => ({ event: 'visited', subscriber_id: id })),
    inMarketingBody('/drip_events', 'subscriber_ids', ofPerson, (id) => ({ event: 'visited', subscriber_ids: [id] })),
  ],
  listSubscriptionLists: [],
  createSubscriptionList: [],
  readSubscriptionList: [ofSubscriptionList('GET')],
  readListGrowth: [ofSubscriptionList('GET', undefined, '/growth')],
  replaceSubscriptionList: [ofSubscriptionList('PUT', { name: 'changed' })],
  updateSubscriptionList: [ofSubscriptionList('PATCH', { name: 'changed again' })],
  deleteSubscriptionList: [ofSubscriptionList('DELETE')],
  listCustomFieldTypes: [],
  createCustomFieldType: [],
  updateCustomFieldType: [ofFieldType('PATCH', { name: 'changed' })],
  deleteCustomFieldType: [ofFieldType('DELETE')],
  readCurrentCustomer: [],
  deleteSubscriber: [ofSubscriber('DELETE')],
  deleteSubscribers: [
    inPath('DELETE', (id) => `/v1/marketing/subscribers_bulk_delete?subscriber_ids=${id}`, {
      foreign: ({ leavingSubscriberIds: [, leaving] }) => [leaving],
      unknown: NO_SUBSCRIBER,
      name: 'subscriber_ids',
    }),
    inPath(
      'DELETE',
      (id, { subscriberId }) =>
        `/v1/marketing/subscribers_bulk_delete?subscriber_ids=${subscriberId}&subscription_list_id=${id}`,
      { ...ofList, name: 'subscription_list_id' },
    ),
  ],
};
