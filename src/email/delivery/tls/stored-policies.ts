import type { Database } from '../../../platform/db/database.ts';
import type { StsPolicy } from './mta-sts.ts';

/** The last policy of a domain, when it was fetched, and when its record was last seen to name it. */
export interface StoredPolicy extends StsPolicy {
  fetchedAt: Date;
  checkedAt: Date;
}

/** When a policy ends to hold unless it is fetched again. */
export function expiryOf({ fetchedAt, maxAge }: StoredPolicy): Date {
  return new Date(fetchedAt.getTime() + maxAge * 1000);
}

/** The policy that is kept for a domain, whether or not it still holds. */
export async function loadPolicy(db: Database, domain: string): Promise<StoredPolicy | null> {
  const row = await db.untenanted((tx) =>
    tx.selectFrom('sts_policies').selectAll().where('domain', '=', domain).executeTakeFirst(),
  );
  if (row === undefined) return null;
  const { policy_id: id, mode, mx, max_age: maxAge, fetched_at: fetchedAt, checked_at: checkedAt } = row;
  return { id, mode, mx, maxAge, fetchedAt, checkedAt };
}

/** Keeps a policy in place of an older one of the domain. */
export async function storePolicy(db: Database, domain: string, policy: StoredPolicy): Promise<void> {
  const { id, mode, mx, maxAge, fetchedAt, checkedAt } = policy;
  const columns = {
    policy_id: id,
    mode,
    mx,
    max_age: maxAge,
    fetched_at: fetchedAt,
    expires_at: expiryOf(policy),
    checked_at: checkedAt,
  };
  await db.untenanted((tx) =>
    tx
      .insertInto('sts_policies')
      .values({ domain, ...columns })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet(columns))
      .execute(),
  );
}
