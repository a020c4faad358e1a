import type { Tx } from '../../platform/db/database.ts';
import { listFieldTypes } from '../fields/field-types.ts';
import type { PreparedContent } from './content/prepare-content.ts';
import { type Mailing, subjectLine } from './mailing.ts';
import { prepareMailing } from './prepare.ts';

/**
 * Makes a mailing ready as it is sent at this moment, or refuses it: with the subject of a send, and with what its fields
 * are classed as by now. Null where it says nothing yet.
 */
export async function prepareNow(
  tx: Tx,
  customerId: number,
  mailing: Mailing,
  subject: string | null,
): Promise<PreparedContent | null> {
  const types = await listFieldTypes(tx, customerId);
  if (subject === null) return prepareMailing(mailing.template_type, mailing, subjectLine(mailing), types);
  return prepareMailing(mailing.template_type, mailing, subject, types, 'campaign_mailing_send.subject');
}
