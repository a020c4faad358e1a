import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { compileCondition, type Occasion } from './compile.ts';
import type { WireCondition } from './filters/filters.ts';
import type { Segment } from './segment.ts';
import '../tables.ts';

/** Why somebody is in a segment or not. */
export interface Explanation {
  member: boolean;
  groups: { holds: boolean; conditions: { field: string; op: string; holds: boolean }[] }[];
}

/** Tells of each condition of a segment whether it holds for somebody; `described` is how the filters are written. */
export async function explainSegment(
  tx: Tx,
  occasion: Occasion,
  { filters }: Segment,
  { subscriberId, described }: { subscriberId: string; described: WireCondition[][] },
): Promise<Explanation> {
  const conditions = filters.flat().map((condition) => sql`coalesce(${compileCondition(condition, occasion)}, false)`);
  const { rows } = await sql<{ holds: boolean[] }>`select array[${sql.join(conditions)}] as holds from subscribers s
    where s.customer_id = ${occasion.customerId} and s.id = ${subscriberId}`.execute(tx);
  const holds = (rows[0]?.holds ?? []).values();
  const groups = described.map((group) => {
    const told = group.map(({ field, op }) => ({ field, op, holds: holds.next().value === true }));
    return { holds: told.every((condition) => condition.holds), conditions: told };
  });
  return { member: groups.some((group) => group.holds), groups };
}
