import type { Owner } from '../owner.ts';
import { inPath, NO_NUMBER, NO_UUID, type Place, spellings } from './place.ts';

const BASE = '/v1/marketing/drip_campaigns';

/** The id of a drip in the path. */
const ofDrip = (method: string, rest: (asker: Owner) => string, body?: object) =>
  inPath(method, (id, asker) => `${BASE}/${id}${rest(asker)}`, {
    foreign: ({ dripIds: [kept] }) => [kept],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

/** The id of an enrollment in the path. */
const ofEnrollment = (method: string) =>
  inPath(method, (id, { dripIds: [kept] }) => `${BASE}/${kept}/enrollments/${id}`, {
    foreign: ({ enrolmentId }) => spellings(enrolmentId),
    unknown: NO_UUID,
    name: 'enrollment_id',
  });

const ofPerson = {
  foreign: ({ subscriberId, subscriberNumber }: Owner) => [...spellings(subscriberId), subscriberNumber],
  unknown: [...NO_UUID.filter((id) => id !== '1' && id !== '%00'), '999999999'],
};
const ofList = { foreign: ({ listId }: Owner) => [String(listId)], unknown: ['999999', '0', 'malformed'] };
const ofSegment = { foreign: ({ segmentIds: [kept] }: Owner) => spellings(kept), unknown: NO_UUID };

/** The id of somebody in the query. */
const inQuery = (path: string) =>
  inPath('GET', (id, { dripIds: [kept] }) => `${BASE}/${kept}/${path}?subscriber_id=${id}`, {
    ...ofPerson,
    name: 'subscriber_id',
  });

/** An id in the body that lets people in. */
const letting = (
  name: string,
  wanted: Pick<Place, 'foreign' | 'unknown'>,
  bodyWith: (id: string) => object,
): Place => ({
  name,
  ask: (app, { key, dripIds: [kept] }, id) =>
    app.request('POST', `${BASE}/${kept}/enrollments`, { key, body: bodyWith(id) }),
  whenForeign: 403,
  whenUnknown: 404,
  ...wanted,
});

/** The ids in the requests about people in drips. */
export const DRIP_ENROLLMENT_PLACES: Record<string, Place[]> = {
  listDripEnrollments: [ofDrip('GET', () => '/enrollments'), inQuery('enrollments')],
  createDripEnrollments: [
    ofDrip('POST', () => '/enrollments', { subscriber_ids: [] }),
    letting('subscriber_ids', ofPerson, (id) => ({ subscriber_ids: [id] })),
    letting('subscription_list_id', ofList, (id) => ({ subscription_list_id: id })),
    letting('dynamic_list_id', ofSegment, (id) => ({ dynamic_list_id: id })),
    letting('list in filters', ofList, (id) => ({ filters: [[{ field: 'list', op: 'is', terms: [id] }]] })),
  ],
  readDripEnrollment: [ofDrip('GET', ({ enrolmentId }) => `/enrollments/${enrolmentId}`), ofEnrollment('GET')],
  deleteDripEnrollment: [ofDrip('DELETE', ({ enrolmentId }) => `/enrollments/${enrolmentId}`), ofEnrollment('DELETE')],
  readDripStatistics: [ofDrip('GET', () => '/statistics')],
  explainDripCampaign: [
    ofDrip('GET', ({ subscriberId }) => `/explain?subscriber_id=${subscriberId}`),
    inQuery('explain'),
  ],
};
