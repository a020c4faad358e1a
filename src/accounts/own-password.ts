import type { Database } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { PersonCaller } from '../platform/http/access.ts';
import type { PasswordQueue } from './password-queue.ts';
import './tables.ts';

/** Answers what is known of whoever knows their own password; throws for all others, naming the field that was wrong. */
export async function requireOwnPassword(
  { db, passwords }: { db: Database; passwords: PasswordQueue },
  { customerId, person }: PersonCaller,
  field: string,
  password: string,
): Promise<{ email: string; name: string; hash: string | null }> {
  const {
    password_hash: hash,
    email,
    name,
  } = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('users')
      .select(['email', 'name', 'password_hash'])
      .where('customer_id', '=', customerId)
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow(),
  );
  if (!(await passwords.matches(hash, password))) throw invalidField(field, 'is not right');
  return { email, name, hash };
}
