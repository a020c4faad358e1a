import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app.ts';
import type { Owner } from '../owner.ts';
import { inPath, NO_UUID, type Place, spellings } from './place.ts';

/** The id of a dynamic list in the path; the second of an owner's is there to be taken away. */
const ofSegment = (method: string, rest: (asker: Owner) => string = () => '', body?: object) =>
  inPath(method, (id, asker) => `/v1/marketing/dynamic_lists/${id}${rest(asker)}`, {
    foreign: ({ segmentIds: [kept, leaving] }) => (method === 'DELETE' ? [leaving] : spellings(kept)),
    unknown: NO_UUID,
    ...(body && { body }),
  });

/** The ids of lists and mailings within filters and rules. */
function inFilters(
  method: string,
  path: (asker: Owner) => string,
  bodyWith: (filters: { filters: object } | { rule: string }) => object,
): Place[] {
  const lists = { name: 'list in filters', foreign: ({ listId }: Owner) => [String(listId)] };
  const mailings = { name: 'mailing in filters', foreign: ({ mailingId }: Owner) => [mailingId] };
  const asking = (wish: (id: string) => Parameters<typeof bodyWith>[0]) => ({
    ask: (app: TestApp, asker: Owner, id: string) =>
      app.request(method, path(asker), { key: asker.key, body: bodyWith(wish(id)) }),
    whenForeign: 403 as const,
    unknown: ['999999', '0', '-1', 'malformed', randomUUID()],
    whenUnknown: 404 as const,
  });
  return [
    { ...lists, ...asking((id) => ({ filters: [[{ field: 'list', op: 'is', terms: [id] }]] })) },
    { ...lists, ...asking((id) => ({ rule: `email is not empty or not on list "${id}"` })) },
    { ...mailings, ...asking((id) => ({ filters: [[{ field: 'opened', op: 'is_not', terms: id }]] })) },
    { ...mailings, ...asking((id) => ({ rule: `clicked mailing "${id}" in the last 7 days` })) },
  ];
}

/** The ids in the requests about dynamic lists. */
export const SEGMENT_PLACES: Record<string, Place[]> = {
  listDynamicLists: [],
  createDynamicList: inFilters(
    'POST',
    () => '/v1/marketing/dynamic_lists',
    (filters) => ({ name: 'New', ...filters }),
  ),
  countDynamicList: inFilters(
    'POST',
    () => '/v1/marketing/dynamic_lists/count',
    (filters) => filters,
  ),
  readDynamicList: [ofSegment('GET')],
  updateDynamicList: [
    ofSegment('PATCH', undefined, { name: 'changed' }),
    ...inFilters(
      'PATCH',
      ({ segmentIds: [id] }) => `/v1/marketing/dynamic_lists/${id}`,
      (filters) => filters,
    ),
  ],
  replaceDynamicList: [
    ofSegment('PUT', undefined, { name: 'changed again' }),
    ...inFilters(
      'PUT',
      ({ segmentIds: [id] }) => `/v1/marketing/dynamic_lists/${id}`,
      (filters) => ({ dynamic_list: filters }),
    ),
  ],
  deleteDynamicList: [ofSegment('DELETE')],
  explainDynamicList: [
    ofSegment('GET', ({ subscriberId }) => `/explain?subscriber_id=${subscriberId}`),
    inPath('GET', (id, { segmentIds: [own] }) => `/v1/marketing/dynamic_lists/${own}/explain?subscriber_id=${id}`, {
      foreign: ({ subscriberId }) => spellings(subscriberId),
      unknown: [randomUUID(), 'malformed', '999999', '0', '-1', '9'.repeat(30), '%00'],
      name: 'subscriber_id',
    }),
  ],
  listLists: [],
};
