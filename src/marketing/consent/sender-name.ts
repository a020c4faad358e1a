import type { Tx } from '../../platform/db/database.ts';

/** What a customer is called by those who get its mail. */
export async function senderName(tx: Tx, customerId: number): Promise<string> {
  const { name } = await tx
    .selectFrom('customers')
    .select('name')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return name;
}
