import { type Static, Type } from 'typebox';
import { PageInfo, Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readScope, SCOPE_PARAMETERS } from '../analytics/scope.ts';
import { htmlIdOf, listTrackingLinks, type TrackingLink } from '../analytics/tracking-links.ts';
import { pageInfo, readPage } from '../read-page.ts';
import type { MarketingDeps } from './deps.ts';

const PAGE = { items: 1_000, most: 1_000 };

const LinkReply = Type.Object({
  id: Type.String(),
  type: Type.Literal('tracking_link'),
  attributes: Type.Object({
    campaign_mailing_send_id: Type.String(),
    html_id: Type.String(),
    url: Type.String(),
    clicks: Type.Integer(),
    unique_clicks: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
  }),
});

/** The links of what was sent. */
export function trackingLinkEndpoints({ db, vault, requireOwn }: MarketingDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/tracking_links',
      operation: 'listTrackingLinks',
      summary: 'The links of sends, where they lead and how often people followed them',
      access: { scope: 'marketing' },
      audit: null,
      query: Type.Object({
        ...SCOPE_PARAMETERS,
        page: Parameter('1 and up'),
        items: Parameter('Page size, 1000 by default and at most'),
      }),
      reply: Type.Object({ data: Type.Array(LinkReply), page_info: PageInfo }),
      async handle({ caller: { customerId }, query }) {
        const page = readPage(query, PAGE);
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const scope = await readScope(tx, requireOwn, customerId, query);
          const { links, total } = await listTrackingLinks(tx, keys, scope, page);
          return { data: links.map(describe), page_info: pageInfo(total, page) };
        });
      },
    }),
  ];
}

function describe({ id, send_id: sendId, number, url, clicks, ...link }: TrackingLink): Static<typeof LinkReply> {
  return {
    id: String(id),
    type: 'tracking_link',
    attributes: {
      campaign_mailing_send_id: String(sendId),
      html_id: htmlIdOf(number),
      url,
      clicks,
      unique_clicks: link.unique_clicks,
      created_at: link.created_at.toISOString(),
    },
  };
}
