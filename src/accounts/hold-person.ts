import type { Tx } from '../platform/db/database.ts';
import type { Who } from './sessions/begin-session.ts';
import './tables.ts';

/** Lets one transaction at a time change what belongs to a person; who only refers to the person does not wait. */
export async function holdPerson(tx: Tx, { customerId, userId }: Who): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .execute();
}
