import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { EvidenceBundle, exportEvidence } from '../../email/index.ts';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { countDeliveries, type Delivery, listDeliveries } from '../analytics/deliveries.ts';
import { PEOPLE_PARAMETERS } from '../analytics/people.ts';
import { DELIVERY_PARAMETERS, readDeliveryFilter } from '../analytics/read-delivery-filter.ts';
import { findMail } from '../mailings/find-mail.ts';
import { one, pageInfo, readChoice, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const Text = Type.Union([Type.String(), Type.Null()]);
const PAGE = { items: 50, most: 1_000 };

const DeliveryReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('campaign_mailing_delivery'),
  attributes: Type.Object({
    campaign_mailing_send_id: Type.String(),
    campaign_mailing_id: Type.String(),
    subscriber_id: Type.String(),
    email: Text,
    state: Type.String(),
    rule: Text,
    smtp_code: Type.Union([Type.Integer(), Type.Null()]),
    attempts: Type.Integer(),
    settled_at: Text,
    opened_at: Text,
    clicked_at: Text,
    unsubscribed_at: Text,
  }),
});

/** What became of each mail to each person. */
export function campaignMailingDeliveryEndpoints(deps: MarketingDeps): Endpoint[] {
  const { db, clock, requireOwn } = deps;
  return [
    endpoint({
      method: 'GET',
      path: '/campaign_mailing_deliveries',
      operation: 'listCampaignMailingDeliveries',
      summary: 'What became of each mail, the newest send first, with the rule where somebody was left out',
      access: { scope: 'marketing' },
      audit: 'deliveries.listed',
      query: Type.Object({
        ...DELIVERY_PARAMETERS,
        search: PEOPLE_PARAMETERS.search,
        page: Parameter('1 and up'),
        items: Parameter('Page size, 50 by default, 1000 at most'),
        order: Parameter('desc (default) or asc'),
      }),
      reply: Type.Object({ data: Type.Array(DeliveryReply), page_info: PageInfo }),
      async handle({ act, query }) {
        const page = readPage(query, PAGE);
        const order = readChoice('order', one(query.order), ['desc', 'asc']);
        return db.tenant([act.customerId], async (tx) => {
          const filter = await readDeliveryFilter(tx, requireOwn, act.customerId, query);
          const deliveries = await listDeliveries(tx, filter, { orderBy: 'created_at', order, ...page });
          const total = await countDeliveries(tx, filter);
          const subscribers = deliveries.map((each) => each.subscriber_id);
          await recordAct(tx, clock, act, { details: { people: deliveries.length, subscribers } });
          return { data: deliveries.map(describe), page_info: pageInfo(total, page) };
        });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/campaign_mailing_deliveries/:id/evidence',
      operation: 'exportCampaignMailingEvidence',
      summary: 'Signed evidence of every attempt at one mail; 409 for the minute until the newest is signed',
      access: { scope: 'marketing', fresh: true },
      audit: 'mailing.evidence-exported',
      params: Type.Object({ id: Type.String() }),
      reply: Type.Object({ data: EvidenceBundle }),
      handle: async ({ act, params }) => ({ data: await exportEvidence(deps, act, params.id, findMail) }),
    }),
  ];
}

function describe(delivery: Delivery): Static<typeof DeliveryReply> {
  const { id, subscriber_id, email, state, rule, smtp_code, attempts } = delivery;
  return {
    id,
    type: 'campaign_mailing_delivery',
    attributes: {
      campaign_mailing_send_id: String(delivery.send_id),
      campaign_mailing_id: String(delivery.mailing_id),
      subscriber_id,
      email,
      state,
      rule,
      smtp_code,
      attempts,
      settled_at: delivery.settled_at?.toISOString() ?? null,
      opened_at: delivery.opened_at?.toISOString() ?? null,
      clicked_at: delivery.clicked_at?.toISOString() ?? null,
      unsubscribed_at: delivery.unsubscribed_at?.toISOString() ?? null,
    },
  };
}
