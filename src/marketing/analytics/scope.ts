import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { one, readChoice, readNumber, type Wire } from '../read-page.ts';
import '../tables.ts';

const EMAIL_TYPES = ['campaign', 'drip'] as const;

/** Which mails a report is about. */
export interface Scope {
  customerId: number;
  mailingId: number | null;
  sendId: number | null;
  dripId: number | null;
  /** A link, which stands in one send only. */
  linkId: number | null;
  emailType: (typeof EMAIL_TYPES)[number] | null;
}

/** The parameters that a scope is read from. */
export const SCOPE_PARAMETERS = {
  campaign_mailing_id: Parameter('Only sends of this mailing'),
  campaign_mailing_send_id: Parameter('Only this send'),
  drip_campaign_id: Parameter('Only what this drip campaign sends'),
  tracking_link_id: Parameter('Only the send that has this link; where links are told, only this one'),
  email_type: Parameter('campaign or drip; both by default'),
};

/** Reads which mails are meant: an unknown id is 404, another customer's 403. */
export async function readScope(tx: Tx, requireOwn: OwnershipCheck, customerId: number, wire: Wire): Promise<Scope> {
  const ownId = async (name: string, owner: (id: number) => RawBuilder<number | null>, table: string) => {
    const text = one(wire[name]);
    if (text === undefined) return null;
    const id = readNumber(name, text);
    const missing = missingField(name, 'there is none with this id');
    await requireOwn(tx, customerId, owner(id), missing);
    const { rows } = await sql`
      select from ${sql.table(table)} where customer_id = ${customerId} and id = ${id}`.execute(tx);
    if (rows.length === 0) throw missing;
    return id;
  };
  const mailingId = await ownId(
    'campaign_mailing_id',
    (id) => sql`find_campaign_mailing_customer(${id})`,
    'campaign_mailings',
  );
  const sendId = await ownId(
    'campaign_mailing_send_id',
    (id) => sql`find_send_customer(${id})`,
    'campaign_mailing_sends',
  );
  const dripId = await ownId('drip_campaign_id', (id) => sql`find_drip_campaign_customer(${id})`, 'drip_campaigns');
  const linkId = await ownId('tracking_link_id', (id) => sql`find_tracking_link_customer(${id})`, 'tracking_links');
  const emailType = one(wire.email_type);
  return {
    customerId,
    mailingId,
    sendId,
    dripId,
    linkId,
    emailType: emailType === undefined ? null : readChoice('email_type', emailType, EMAIL_TYPES),
  };
}

/** The condition on `s`, a row of campaign_mailing_sends, that it is in scope. */
export function inScope({ customerId, mailingId, sendId, dripId, linkId, emailType }: Scope): RawBuilder<boolean> {
  const conditions = [
    sql<boolean>`s.customer_id = ${customerId}`,
    ...(mailingId === null ? [] : [sql<boolean>`s.mailing_id = ${mailingId}`]),
    ...(sendId === null ? [] : [sql<boolean>`s.id = ${sendId}`]),
    ...(dripId === null ? [] : [sql<boolean>`s.drip_id = ${dripId}`]),
    ...(linkId === null ? [] : [hasLink(customerId, linkId)]),
    ...(emailType === null ? [] : [sql<boolean>`(s.drip_id is not null) = ${emailType === 'drip'}`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function hasLink(customerId: number, linkId: number): RawBuilder<boolean> {
  return sql`s.id = (select l.send_id from tracking_links l where l.customer_id = ${customerId} and l.id = ${linkId})`;
}
