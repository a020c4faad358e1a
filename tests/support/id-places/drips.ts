import { randomUUID } from 'node:crypto';
import type { Owner } from '../owner.ts';
import { inPath, NO_NUMBER, NO_SUBSCRIBER, NO_UUID, type Place, spellings } from './place.ts';

const BASE = '/v1/marketing/drip_campaigns';

/** The id of a drip in the path; the second of an owner's is there to be taken away. */
const ofDrip = (method: string, rest = '', body?: object) =>
  inPath(method, (id) => `${BASE}/${id}${rest}`, {
    foreign: ({ dripIds: [kept, leaving] }) => [method === 'DELETE' ? leaving : kept],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

const UNKNOWN_NUMBER = ['999999', '2147483648', '9'.repeat(15)];
const LISTS = { foreign: ({ listId }: Owner) => [String(listId)], unknown: [...UNKNOWN_NUMBER, '0', 'malformed'] };
const FORMS = { foreign: ({ formIds: [kept] }: Owner) => spellings(kept), unknown: NO_UUID };
const STEP_LISTS = { foreign: LISTS.foreign, unknown: UNKNOWN_NUMBER };
const STEP_MAILINGS = { foreign: ({ mailingId }: Owner) => [mailingId], unknown: UNKNOWN_NUMBER };
const STEP_SEGMENTS = { foreign: ({ segmentIds: [kept] }: Owner) => spellings(kept), unknown: [randomUUID()] };
const STEP_FORMS = { foreign: FORMS.foreign, unknown: [randomUUID()] };

const branch = (asked: object) => ({ type: 'branch', if: asked, then: [{ type: 'exit' }] });
const wait = (happening: object) => ({ type: 'wait', for: happening });

/** Every id in the body of a drip. */
function inBody(method: string, path: (asker: Owner) => string): Place[] {
  const place = (
    name: string,
    wanted: Pick<Place, 'foreign' | 'unknown'>,
    fieldsWith: (id: string) => object,
  ): Place => ({
    name,
    ask: (app, asker, id) =>
      app.request(method, BASE + path(asker), {
        key: asker.key,
        body: { drip_campaign: { name: 'New', ...fieldsWith(id) } },
      }),
    whenForeign: 403,
    whenUnknown: 404,
    ...wanted,
  });
  const inStep = (name: string, wanted: Pick<Place, 'foreign' | 'unknown'>, stepWith: (id: string) => object) =>
    place(`${name} in steps`, wanted, (id) => ({ steps: [{ id: 'one', ...stepWith(id) }] }));
  return [
    inStep('mailing to mail', STEP_MAILINGS, (id) => ({ type: 'email', campaign_mailing_id: id })),
    inStep('mailing opened', STEP_MAILINGS, (id) => branch({ opened: id })),
    inStep('mailing waited for', STEP_MAILINGS, (id) => wait({ event: 'clicked', campaign_mailing_id: id })),
    inStep('segment', STEP_SEGMENTS, (id) => branch({ segment: id })),
    inStep('list in filters', STEP_LISTS, (id) => branch({ field: 'list', op: 'is', terms: [id] })),
    inStep('list to join', STEP_LISTS, (id) => ({ type: 'list', add: id })),
    inStep('list waited for', STEP_LISTS, (id) => wait({ event: 'joined', subscription_list_id: id })),
    inStep('form waited for', STEP_FORMS, (id) => wait({ event: 'form_submitted', form_id: id })),
    place('segment as goal', STEP_SEGMENTS, (id) => ({ goal: { segment: id } })),
    place('form as goal', STEP_FORMS, (id) => ({ goal: { event: 'form_submitted', form_id: id } })),
    place('subscription_list_id', LISTS, (id) => ({ subscription_list_id: id })),
    place('form_id', FORMS, (id) => ({ start_trigger: 'form_submitted', form_id: id })),
  ];
}

/** A draft may be changed in everything. */
const ofDraft = ({ dripIds: [, draft] }: Owner) => `/${draft}`;

/** The ids in the requests about drip campaigns. */
export const DRIP_PLACES: Record<string, Place[]> = {
  listDripCampaigns: [],
  createDripCampaign: inBody('POST', () => ''),
  readDripCampaign: [ofDrip('GET')],
  replaceDripCampaign: [ofDrip('PUT', '', { drip_campaign: { name: 'changed' } }), ...inBody('PUT', ofDraft)],
  updateDripCampaign: [ofDrip('PATCH', '', { drip_campaign: { name: 'changed' } }), ...inBody('PATCH', ofDraft)],
  deleteDripCampaign: [ofDrip('DELETE')],
  copyDripCampaign: [ofDrip('POST', '/copy')],
  startDripCampaign: [ofDrip('POST', '/start', {})],
  pauseDripCampaign: [ofDrip('POST', '/pause')],
  resumeDripCampaign: [ofDrip('POST', '/resume', {})],
  completeDripCampaign: [ofDrip('POST', '/complete')],
  publishDripCampaign: [ofDrip('POST', '/publish', { share: 100 })],
  moveDripCampaign: [ofDrip('POST', '/move', { to_version: 2 })],
  listDripCampaignVersions: [ofDrip('GET', '/versions')],
  readDripCampaignVersion: [ofDrip('GET', '/versions/1')],
  readDripWebhookSecret: [ofDrip('GET', '/webhook_secret')],
  simulateDripCampaign: [
    ofDrip('POST', '/simulate', { people: [{}] }),
    {
      name: 'subscriber_id',
      ask: (app, { key, dripIds: [kept] }, id) =>
        app.request('POST', `${BASE}/${kept}/simulate`, { key, body: { people: [{ subscriber_id: id }] } }),
      foreign: ({ subscriberId, subscriberNumber }) => [...spellings(subscriberId), subscriberNumber],
      unknown: NO_SUBSCRIBER,
      whenForeign: 403,
      whenUnknown: 404,
    },
  ],
};
