import { randomUUID } from 'node:crypto';
import type { Owner } from '../owner.ts';
import { inboxOf, inPath, NO_NUMBER, NO_UUID, type Place, spellings } from './place.ts';

/** An id that chooses what a report of the Marketing area is about. */
const inReport = (
  path: string,
  name: string,
  more: Pick<Place, 'foreign'> & { unknown?: string[]; rest?: (asker: Owner) => string },
) =>
  inPath('GET', (id, asker) => `/v1/marketing/${path}?${name}=${id}${more.rest?.(asker) ?? ''}`, {
    foreign: more.foreign,
    unknown: more.unknown ?? NO_NUMBER,
    name,
  });

/** The mailing, send, drip campaign and link of a report. */
export const mailsOf = (path: string): Place[] => [
  ...sendsOf(path),
  inReport(path, 'tracking_link_id', { foreign: ({ trackingLinkId }) => [trackingLinkId] }),
];

const sendsOf = (path: string, rest: (asker: Owner) => string = () => ''): Place[] => [
  inReport(path, 'campaign_mailing_id', { foreign: ({ mailingId }) => [mailingId], rest }),
  inReport(path, 'campaign_mailing_send_id', { foreign: ({ sendId }) => [sendId], rest }),
  inReport(path, 'drip_campaign_id', { foreign: ({ dripIds: [kept] }) => [kept], rest }),
];

const deliveriesOf = (path: string): Place[] => [
  ...mailsOf(path),
  inReport(path, 'subscriber_id', {
    foreign: ({ subscriberId }) => spellings(subscriberId),
    unknown: [randomUUID(), 'malformed', '999999', '0', '%00'],
  }),
];

const clickersOf = (path: string): Place[] => [
  ...sendsOf(path, ({ trackingLinkId }) => `&tracking_link_id=${trackingLinkId}`),
  inReport(path, 'tracking_link_id', { foreign: ({ trackingLinkId }) => [trackingLinkId] }),
  inReport(path, 'html_id', {
    foreign: () => [],
    unknown: ['link-7', 'link-99999', 'malformed', '0'],
    rest: ({ sendId }) => `&campaign_mailing_send_id=${sendId}`,
  }),
];

/** The ids in the requests for reports about mailings. */
export const REPORT_PLACES: Record<string, Place[]> = {
  listCampaignMailingDeliveries: [
    ...deliveriesOf('campaign_mailing_deliveries'),
    inboxOf('email', (email) => `/v1/marketing/campaign_mailing_deliveries?email=${email}`),
  ],
  exportCampaignMailingEvidence: [
    inPath('GET', (id) => `/v1/marketing/campaign_mailing_deliveries/${id}/evidence`, {
      foreign: ({ mailId }) => spellings(mailId),
      unknown: NO_UUID,
    }),
  ],
  listTrackingLinks: mailsOf('tracking_links'),
  readSendTotals: mailsOf('analytics/campaign_mailing_send_totals'),
  exportSendTotals: mailsOf('analytics/campaign_mailing_send_totals/csv'),
  readSendsTable: mailsOf('analytics/campaign_mailing_sends_table'),
  exportSendsTable: mailsOf('analytics/campaign_mailing_sends_table/csv'),
  readDeliveriesTable: deliveriesOf('analytics/campaign_mailing_deliveries_table'),
  exportDeliveriesTable: deliveriesOf('analytics/campaign_mailing_deliveries_table/csv'),
  readLinksByUrl: mailsOf('analytics/tracking_links_by_unique_link'),
  exportLinksByUrl: mailsOf('analytics/tracking_links_by_unique_link/csv'),
  readLinkClickers: clickersOf('analytics/subscribers_by_tracking_link'),
  exportLinkClickers: clickersOf('analytics/subscribers_by_tracking_link/csv'),
};
