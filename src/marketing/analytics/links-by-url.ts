import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { openTarget } from '../tracking/link-target.ts';
import type { Scope } from './scope.ts';
import { linksIn } from './tracking-links.ts';
import '../tables.ts';

/** Where links lead, and how often, and by how many people, any of them was followed. */
export interface LinkedUrl {
  url: string;
  tracking_link_ids: string[];
  clicks: number;
  unique_clicks: number;
}

interface Link {
  id: number;
  send_id: number;
  number: number;
  url: string;
}

/** Refuses to open the links of every send there ever was. */
export function requireSomeSend({ mailingId, sendId, dripId, linkId }: Scope): void {
  if (mailingId === null && sendId === null && dripId === null && linkId === null) {
    throw invalidField('campaign_mailing_id', 'is needed, or campaign_mailing_send_id or drip_campaign_id');
  }
}

/** The places that the links in scope lead to; somebody who followed one in several sends counts once. */
export async function readLinkedUrls(tx: Tx, keys: CustomerVault, scope: Scope): Promise<LinkedUrl[]> {
  const { rows } = await sql<Omit<Link, 'url'> & { sealed: Buffer }>`
    select l.id, l.send_id, l.number, l.sealed from ${linksIn(scope)} order by l.id`.execute(tx);
  const links = rows.map(({ sealed, ...link }) => ({
    ...link,
    url: openTarget(keys, { sendId: link.send_id, number: link.number }, sealed),
  }));
  const byUrl = [...Map.groupBy(links, ({ url }) => url)];
  const counts = await countClicks(
    tx,
    scope.customerId,
    byUrl.map(([, same]) => same),
  );
  return byUrl.map(([url, same], place) => ({
    url,
    tracking_link_ids: same.map(({ id }) => String(id)),
    clicks: counts.get(place)?.clicks ?? 0,
    unique_clicks: counts.get(place)?.unique_clicks ?? 0,
  }));
}

async function countClicks(tx: Tx, customerId: number, groups: readonly Link[][]) {
  const places = groups.flatMap((links, place) =>
    links.map(({ send_id: sendId, number }) => ({ place, sendId, number })),
  );
  const { rows } = await sql<{ place: number; clicks: number; unique_clicks: number }>`
    select g.place, sum(c.clicks)::bigint as clicks, count(distinct c.subscriber_id) as unique_clicks
    from unnest(${places.map(({ place }) => place)}::int[], ${places.map(({ sendId }) => sendId)}::bigint[],
      ${places.map(({ number }) => number)}::smallint[]) as g (place, send_id, link)
    join mailing_link_clicks c on c.customer_id = ${customerId} and c.send_id = g.send_id and c.link = g.link
    group by g.place`.execute(tx);
  return new Map(rows.map(({ place, ...counts }) => [place, counts]));
}
