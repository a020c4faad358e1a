import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import type { PreparedContent } from './content/prepare-content.ts';
import '../tables.ts';

/** The languages that a mailing may be written in; `quill` and `bee` are editors that give HTML. */
export const TEMPLATE_TYPES = ['html', 'quill', 'bee', 'mjml', 'blocks'] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

/** What a mailing says, as its author gave it. */
export interface MailingContent {
  default_subject: string | null;
  from_address: string | null;
  reply_to: string | null;
  preheader: string | null;
  html_part: string | null;
  text_part: string | null;
  mjml_part: string | null;
  blocks: unknown;
  form_data: unknown;
}

/** A mailing that says nothing yet. */
export const BLANK: MailingContent = {
  default_subject: null,
  from_address: null,
  reply_to: null,
  preheader: null,
  html_part: null,
  text_part: null,
  mjml_part: null,
  blocks: null,
  form_data: null,
};

/** A mailing at its newest version, or at one of the older ones. */
export interface Mailing extends MailingContent {
  id: number;
  subject: string;
  template_type: TemplateType;
  version: number;
  /** Null while there is nothing to send. */
  prepared: PreparedContent | null;
  created_at: Date;
  updated_at: Date;
}

/** Which version of a mailing is meant, unless it is the newest, and whether nobody else may save it until commit. */
interface Wanted {
  version?: number | undefined;
  lock?: boolean;
}

/** The mailing that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findMailing(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: number,
  name = 'id',
  { version, lock = false }: Wanted = {},
): Promise<Mailing> {
  const missing = missingField(name, 'no such mailing');
  await requireOwn(tx, customerId, sql<number | null>`find_campaign_mailing_customer(${id})`, missing);
  // By itself: a statement that waited for another version would still look for the text of the one before.
  if (lock)
    await sql`select from campaign_mailings where customer_id = ${customerId} and id = ${id} for update`.execute(tx);
  const { rows } = await sql<Mailing>`
    select m.id, m.subject, m.template_type, v.version, m.created_at, m.updated_at, v.default_subject, v.from_address,
      v.reply_to, v.preheader, v.html_part, v.text_part, v.mjml_part, v.blocks, v.form_data, v.prepared
    from campaign_mailings m
    join mailing_versions v on v.customer_id = m.customer_id and v.mailing_id = m.id
      and v.version = coalesce(${version ?? null}, m.version)
    where m.customer_id = ${customerId} and m.id = ${id} and m.deleted_at is null`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw missing;
  return found;
}

/** The line that stands over a mailing, unless a send says otherwise. */
export function subjectLine({ subject, default_subject: line }: Pick<Mailing, 'subject' | 'default_subject'>): string {
  return line ?? subject;
}
