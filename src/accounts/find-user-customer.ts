import { sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';

/** Whose a person is; null where there is nobody of that id. */
export async function findUserCustomer(db: Database, id: string): Promise<number | null> {
  const { rows } = await db.untenanted((tx) =>
    sql<{ owner: number | null }>`select find_user_customer(${id}) as owner`.execute(tx),
  );
  return rows[0]?.owner ?? null;
}
