import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** The steps of the first day, and which of them are done. */
export interface Checklist {
  agreement: boolean;
  factor: boolean;
  key: boolean;
  domain: boolean;
  first_message: boolean;
  first_form: boolean;
  first_submission: boolean;
  first_subscriber: boolean;
  first_drip: boolean;
}

/** How far a customer has come on its first day. */
export async function readChecklist(
  tx: Tx,
  { customerId, userId, today }: { customerId: number; userId: string; today: string },
): Promise<Checklist> {
  const { rows } = await sql<Checklist>`
    select
      exists (select from agreements where customer_id = ${customerId} and signed_on <= ${today}::date
        and (ends_on is null or ends_on >= ${today}::date)) as agreement,
      exists (select from user_totp where customer_id = ${customerId} and user_id = ${userId}
          and confirmed_at is not null)
        or exists (select from user_passkeys where customer_id = ${customerId} and user_id = ${userId}) as factor,
      exists (select from api_keys where customer_id = ${customerId} and revoked_at is null) as key,
      exists (select from sending_domains where customer_id = ${customerId} and state = 'verified') as domain,
      exists (select from messages where customer_id = ${customerId}) as first_message,
      exists (select from forms where customer_id = ${customerId} and active and not deleted) as first_form,
      exists (select from submissions where customer_id = ${customerId}) as first_submission,
      exists (select from subscribers where customer_id = ${customerId}) as first_subscriber,
      exists (select from drip_campaigns where customer_id = ${customerId} and started_at is not null) as first_drip
  `.execute(tx);
  return rows[0] as Checklist;
}
