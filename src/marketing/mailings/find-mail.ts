import { sql } from 'kysely';
import type { FindMail } from '../../email/index.ts';
import { AppError } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import '../tables.ts';

const MISSING = 'No such mail of a mailing';

/** Finds a mail of a mailing in the ledger. Whom it went to stands in its attempts, as people change their address. */
export const findMail: FindMail = async (tx, { requireOwn, customerId }, id) => {
  if (!isUuid(id)) throw new AppError('not_found', MISSING);
  await requireOwn(tx, customerId, sql<number | null>`find_message_customer(${id})`, MISSING);
  const mail = await tx
    .selectFrom('mailing_recipients')
    .select(['attempts', 'subscriber_id'])
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (mail === undefined) throw new AppError('not_found', MISSING);
  return { recipients: [], tried: mail.attempts, whose: { subscriber: mail.subscriber_id } };
};
