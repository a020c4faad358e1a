import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { NotIn } from './words.ts';
import '../../tables.ts';

/** Why somebody may not enter a running drip. */
export type Refusal = Extract<NotIn, 'opted_out' | 'not_on_list' | 'already_in' | 'may_not_reenter'>;

interface Standing {
  id: string;
  opted_out: boolean;
  on_list: boolean;
  active: boolean;
  before: boolean;
}

/** What keeps each of these people from entering a drip, if it were running; nothing where they may. */
export async function refusalsOf(tx: Tx, drip: Drip, people: readonly string[]): Promise<Map<string, Refusal[]>> {
  const { id: dripId, customer_id: customerId, subscription_list_id: listId } = drip;
  const { rows } = await sql<Standing>`
    select s.id, s.unsubscribed_at is not null as opted_out, coalesce(c.active, false) as on_list,
      exists (select from drip_enrolments e where e.customer_id = ${customerId} and e.drip_id = ${dripId}
        and e.subscriber_id = s.id and e.state = 'active') as active,
      exists (select from drip_enrolments e where e.customer_id = ${customerId} and e.drip_id = ${dripId}
        and e.subscriber_id = s.id) as before
    from subscribers s
    left join subscriptions c on c.customer_id = ${customerId} and c.subscription_list_id = ${listId}
      and c.subscriber_id = s.id
    where s.customer_id = ${customerId} and s.id = any(${people}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, refusals(drip, row)]));
}

function refusals({ reentry }: Drip, { opted_out, on_list, active, before }: Standing): Refusal[] {
  return [
    ...(opted_out ? (['opted_out'] as const) : []),
    // Whoever has opted out gets nothing of any list, whether they are on it or not.
    ...(on_list || opted_out ? [] : (['not_on_list'] as const)),
    ...(active && reentry !== 'always' ? (['already_in'] as const) : []),
    ...(before && !active && reentry === 'never' ? (['may_not_reenter'] as const) : []),
  ];
}
