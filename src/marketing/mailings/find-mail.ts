import { sql } from 'kysely';
import type { FindMail } from '../../email/index.ts';
import { AppError } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import '../tables.ts';

/** Finds a mail of a mailing in the ledger. Whom it went to stands in its attempts, as people change their address. */
export const findMail: FindMail = async (tx, { requireOwn, customerId }, id) => {
  const missing = new AppError('not_found', 'No such mail of a mailing', { fields: { id: ['no such mail'] } });
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_message_customer(${id})`, missing);
  const mail = await tx
    .selectFrom('mailing_recipients')
    .select(['attempts', 'subscriber_id'])
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (mail === undefined) throw missing;
  return { recipients: [], tried: mail.attempts, whose: { subscriber: mail.subscriber_id } };
};
