import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { Page } from '../read-page.ts';
import { openTarget } from '../tracking/link-target.ts';
import { inScope, type Scope } from './scope.ts';
import '../tables.ts';

/** A link of a send, where it leads, and how often people followed it. */
export interface TrackingLink {
  id: number;
  send_id: number;
  number: number;
  url: string;
  clicks: number;
  unique_clicks: number;
  created_at: Date;
}

/** One page of the links in scope, the newest send first. */
export async function listTrackingLinks(
  tx: Tx,
  keys: CustomerVault,
  scope: Scope,
  { page, items }: Page,
): Promise<{ links: TrackingLink[]; total: number }> {
  const { rows } = await sql<Omit<TrackingLink, 'url'> & { sealed: Buffer }>`
    select l.id, l.send_id, l.number, l.sealed, l.created_at, n.clicks, n.unique_clicks
    from ${linksIn(scope)}
    cross join lateral (
      select coalesce(sum(c.clicks), 0)::bigint as clicks, count(*) as unique_clicks from mailing_link_clicks c
      where c.customer_id = l.customer_id and c.send_id = l.send_id and c.link = l.number) n
    order by l.send_id desc, l.number limit ${items} offset ${(page - 1) * items}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*) as total from ${linksIn(scope)}`.execute(tx);
  const links = rows.map(({ sealed, ...link }) => ({
    ...link,
    url: openTarget(keys, { sendId: link.send_id, number: link.number }, sealed),
  }));
  return { links, total: counted.rows[0]?.total ?? 0 };
}

/** What a link is called in the HTML of its mail. */
export function htmlIdOf(number: number): string {
  return `link-${number}`;
}

/** The links, `l`, of the sends in scope. */
export function linksIn(scope: Scope): RawBuilder<unknown> {
  const named = scope.linkId === null ? sql`true` : sql`l.id = ${scope.linkId}`;
  return sql`campaign_mailing_sends s
    join tracking_links l on l.customer_id = s.customer_id and l.send_id = s.id and ${inScope(scope)} and ${named}`;
}
