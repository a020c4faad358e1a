import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { type AppError, invalidField, missingField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { one, type Wire } from '../read-page.ts';
import type { Scope } from './scope.ts';
import { linksIn } from './tracking-links.ts';
import '../tables.ts';

/** A link of a send. */
export interface FoundLink {
  send_id: number;
  number: number;
}

/** What names a link where its id does not. */
export const LINK_PARAMETERS = {
  html_id: Parameter('In place of tracking_link_id: what the link is called within the send, as in link-0'),
};

/** The link in scope that is named by its id, or by its send and what it is called there. */
export async function findLink(tx: Tx, scope: Scope, wire: Wire): Promise<FoundLink> {
  const htmlId = one(wire.html_id);
  if (scope.linkId === null) {
    if (htmlId === undefined)
      throw invalidField('tracking_link_id', 'is needed, or html_id with campaign_mailing_send_id');
    if (scope.sendId === null) throw invalidField('campaign_mailing_send_id', 'is needed with html_id');
  }
  const number = htmlId === undefined ? null : readHtmlId(htmlId);
  const { rows } = await sql<FoundLink>`
    select l.send_id, l.number from ${linksIn(scope)}
    where ${number}::int is null or l.number = ${number}::int`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw missing(scope.linkId === null ? 'html_id' : 'tracking_link_id');
  return found;
}

function readHtmlId(text: string): number {
  const [, digits] = /^link-(\d{1,5})$/.exec(text) ?? [];
  if (digits === undefined) throw missing('html_id');
  return Number(digits);
}

function missing(name: string): AppError {
  return missingField(name, 'there is no such link');
}
