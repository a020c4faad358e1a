import { type RawBuilder, sql } from 'kysely';

/** The blind indexes of everybody whom a message is to, for the question whether a legal hold keeps it. */
export function peopleOfMessage(customerId: number, messageId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select array_agg(p.address_index) from message_recipients p
    where p.customer_id = ${customerId} and p.message_id = ${messageId})`;
}
