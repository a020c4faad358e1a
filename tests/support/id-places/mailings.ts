import type { Owner } from '../owner.ts';
import { inADay, inPath, NO_NUMBER, NO_UUID, type Place, spellings } from './place.ts';
import { mailsOf } from './reports.ts';

const BASE = '/v1/marketing';
const change = { campaign_mailing: { text_part: 'Changed' } };

/** The id of a mailing in the path. */
const ofMailing = (method: string, rest: (asker: Owner) => string = () => '', body?: object) =>
  inPath(method, (id, asker) => `${BASE}/campaign_mailings/${id}${rest(asker)}`, {
    foreign: ({ mailingId }) => [mailingId],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

/** The id of a send in the path. */
const ofSend = (method: string, rest = '', body?: object) =>
  inPath(method, (id) => `${BASE}/campaign_mailing_sends/${id}${rest}`, {
    foreign: ({ sendId }) => [sendId],
    unknown: [...NO_NUMBER, '%00'],
    ...(body && { body }),
  });

interface Ids {
  campaign_mailing_id: string;
  list?: string;
  segment?: string;
}

/** The ids in the body that begins a send. */
function beginning(path: string, more: () => object = () => ({})): Place[] {
  const place = (
    name: string,
    wanted: Pick<Place, 'foreign' | 'unknown'>,
    idsWith: (asker: Owner, id: string) => Ids,
  ): Place => ({
    name,
    ask(app, asker, id) {
      const { campaign_mailing_id, list, segment } = idsWith(asker, id);
      const campaign_mailing_send = {
        sender_email: asker.recipient,
        ...(list === undefined && segment === undefined ? { recipient_emails: ['ann@example.com'] } : {}),
        ...(list !== undefined && { subscription_list_id: list }),
        ...(segment !== undefined && { dynamic_list_id: segment }),
      };
      return app.request('POST', BASE + path, {
        key: asker.key,
        body: { campaign_mailing_id, campaign_mailing_send, ...more() },
      });
    },
    whenForeign: 403,
    whenUnknown: 404,
    ...wanted,
  });
  const lists = { foreign: ({ listId }: Owner) => [String(listId)], unknown: ['999999', '0', '-1', 'malformed'] };
  const segments = { foreign: ({ segmentIds: [kept] }: Owner) => spellings(kept), unknown: NO_UUID };
  const mailings = { foreign: ({ mailingId }: Owner) => [mailingId], unknown: NO_NUMBER };
  return [
    place('campaign_mailing_id', mailings, (_asker, id) => ({ campaign_mailing_id: id })),
    place('subscription_list_id', lists, ({ mailingId }, id) => ({ campaign_mailing_id: mailingId, list: id })),
    place('dynamic_list_id', segments, ({ mailingId }, id) => ({ campaign_mailing_id: mailingId, segment: id })),
  ];
}

/** The ids in the requests about mailings and their sends. */
export const MAILING_PLACES: Record<string, Place[]> = {
  listCampaignMailings: [],
  createCampaignMailing: [],
  readCampaignMailing: [ofMailing('GET')],
  replaceCampaignMailing: [ofMailing('PUT', undefined, change)],
  updateCampaignMailing: [ofMailing('PATCH', undefined, change)],
  previewCampaignMailing: [
    {
      name: 'subscriber_id',
      ask: (app, { key }, id) =>
        app.request('POST', `${BASE}/campaign_mailings/preview`, { key, body: { ...change, subscriber_id: id } }),
      foreign: ({ subscriberId }) => spellings(subscriberId),
      whenForeign: 403,
      unknown: [...NO_UUID.filter((id) => id !== '1'), '999999999'],
      whenUnknown: 404,
    },
  ],
  sendTestMailing: [ofMailing('POST', () => '/send_test_email', { to_email: 'ann@example.com' })],
  sendTestEmail: [ofMailing('GET', () => '/send_test_email?to_email=ann@example.com')],
  explainCampaignMailing: [
    ofMailing('GET', ({ subscriberId }) => `/explain?subscriber_id=${subscriberId}`),
    inPath('GET', (id, { mailingId }) => `${BASE}/campaign_mailings/${mailingId}/explain?subscriber_id=${id}`, {
      foreign: ({ subscriberId }) => spellings(subscriberId),
      unknown: [...NO_UUID.filter((id) => id !== '1'), '999999999'],
      name: 'subscriber_id',
    }),
  ],
  deleteCampaignMailings: [
    {
      name: 'campaign_mailing_ids',
      ask: (app, { key }, id) =>
        app.request('DELETE', `${BASE}/campaign_mailings_bulk_delete`, { key, body: { campaign_mailing_ids: [id] } }),
      foreign: ({ leavingMailingId }) => [leavingMailingId],
      whenForeign: 403,
      unknown: NO_NUMBER,
      whenUnknown: 404,
    },
  ],
  sendCampaignMailing: beginning('/campaign_mailing_sends'),
  listCampaignMailingSends: mailsOf('campaign_mailing_sends'),
  readCampaignMailingSend: [ofSend('GET')],
  pauseCampaignMailingSend: [ofSend('POST', '/pause')],
  resumeCampaignMailingSend: [ofSend('POST', '/resume')],
  cancelCampaignMailingSend: [ofSend('POST', '/cancel')],
  decideCampaignMailingSend: [ofSend('POST', '/decide', { decision: 'sent' })],
  scheduleCampaignMailing: beginning('/campaign_mailing_schedules', () => ({ send_at: inADay() })),
  unscheduleCampaignMailing: [
    inPath('DELETE', (id) => `${BASE}/campaign_mailing_schedules/${id}`, {
      foreign: ({ scheduleId }) => spellings(scheduleId),
      unknown: NO_UUID,
      name: 'jid',
    }),
  ],
};
