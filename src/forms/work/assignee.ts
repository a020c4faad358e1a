import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { isUuid } from '../../platform/ids.ts';

/**
 * The id of whoever submissions are given to: somebody of the customer who has not been removed and may read them.
 * 404 where nobody has the id, 403 where it is that of another customer's.
 */
export async function requireAssignee(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: string,
): Promise<string> {
  const missing = missingField('assignee_id', 'no such person');
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_user_customer(${id})`, missing);
  const { rows } = await sql<{ id: string; role: string; disabled_at: Date | null }>`
    select id, role, disabled_at from users where customer_id = ${customerId} and id = ${id}`.execute(tx);
  const [person] = rows;
  if (person === undefined) throw missing;
  if (person.disabled_at !== null) throw invalidField('assignee_id', 'takes nobody who has been removed');
  if (person.role === 'reader') throw invalidField('assignee_id', 'takes nobody who may not read submissions');
  return person.id;
}
