import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';

/** A customer as an operator sees it: counts and times. */
export interface CustomerLine {
  id: number;
  name: string;
  username: string;
  createdAt: Date;
  closedAt: Date | null;
  agreementInForce: boolean;
  lastActiveAt: Date | null;
  users: number;
  keys: number;
  forms: number;
  submissions: number;
  subscribers: number;
}

/** Every customer of the installation, in the order in which they came. */
export async function describeCustomers(db: Database, clock: Clock): Promise<CustomerLine[]> {
  const today = clock.now().toISOString().slice(0, 10);
  const { rows } = await db.untenanted((tx) =>
    sql<CustomerLine>`
      select id, name, username, created_at as "createdAt", closed_at as "closedAt",
        agreement_in_force as "agreementInForce", last_active_at as "lastActiveAt", users::int, keys::int, forms::int,
        submissions::int, subscribers::int
      from describe_customers(${today}::date)`.execute(tx),
  );
  return rows;
}
