import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Who } from '../sessions/begin-session.ts';
import '../tables.ts';

/** What somebody can show as a second factor. */
export interface Methods {
  totp: boolean;
  passkeys: number;
  recovery_codes: number;
}

/** What a person can show, and how many codes are left. */
export async function methodsOf(tx: Tx, { customerId, userId }: Who): Promise<Methods> {
  const { rows } = await sql<Methods>`select
    exists (select from user_totp where customer_id = ${customerId} and user_id = ${userId}
      and confirmed_at is not null) as totp,
    (select count(*)::int from user_passkeys where customer_id = ${customerId} and user_id = ${userId}) as passkeys,
    (select count(*)::int from user_recovery_codes where customer_id = ${customerId} and user_id = ${userId}
      and used_at is null) as recovery_codes`.execute(tx);
  return rows[0] as Methods;
}

/** How many factors somebody has; codes for the day on which they are lost do not count. */
export function factorsIn({ totp, passkeys }: Methods): number {
  return passkeys + (totp ? 1 : 0);
}
