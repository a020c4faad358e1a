import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

const DAY_MS = 24 * 3600_000;

/** What a day, by UTC, brought to a list and took from it. */
export interface Growth {
  day: string;
  joined: number;
  left: number;
}

/** Who joined and who left a list on each of the last days, today among them. Who has yet to confirm is not on it. */
export async function growthOf(
  tx: Tx,
  { customerId, listId }: { customerId: number; listId: number },
  { days, now }: { days: number; now: Date },
): Promise<Growth[]> {
  const today = Math.floor(now.getTime() / DAY_MS);
  const since = new Date((today - days + 1) * DAY_MS);
  const { rows } = await sql<Growth>`
    with moves as (
      select c.created_at as at, 1 as joined, 0 as gone from subscriptions c
      where c.customer_id = ${customerId} and c.subscription_list_id = ${listId}
        and c.created_at >= ${since} and not c.pending
      union all
      select c.unsubscribed_at, 0, 1 from subscriptions c
      where c.customer_id = ${customerId} and c.subscription_list_id = ${listId} and c.unsubscribed_at >= ${since}
    )
    select to_char(m.at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(m.joined) as joined, sum(m.gone) as left
    from moves m group by 1`.execute(tx);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_none, at) => {
    const day = new Date(since.getTime() + at * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, joined: 0, left: 0 };
  });
}
