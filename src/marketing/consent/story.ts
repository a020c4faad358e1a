import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { JOINED_BY_IMPORT } from './joined-by-import.ts';
import '../tables.ts';

/** One change of what somebody agreed to. */
export interface ConsentChange {
  at: Date;
  /**
   * joined, asked, confirmation_sent, confirmed, left, opted_out, opted_in, imported: came with a file, or taken_back: the
   * import that had put them on the list was undone.
   */
  change: string;
  source: string;
  /** The list that it is about; without one it is about everything. */
  listId: number | null;
  /** Null where the list is gone. */
  listName: string | null;
  /** The words that were agreed to, as they were then. */
  text: string | null;
  evidence: Record<string, string | number>;
}

// What was done at once is told in the order in which it can happen.
const IN_ORDER = [
  'imported',
  'opted_in',
  'joined',
  'asked',
  'confirmation_sent',
  'confirmed',
  'left',
  'taken_back',
  'opted_out',
];

/** How somebody's consent came about, the oldest first; whom an import brought in is told by that import. */
export async function readConsentStory(tx: Tx, customerId: number, subscriberId: string): Promise<ConsentChange[]> {
  const { rows } = await sql<ConsentChange>`
    with changes as (
      select c.at, c.change, c.source, c.subscription_list_id as list, c.evidence from consent_changes c
      where c.customer_id = ${customerId} and c.subscriber_id = ${subscriberId}
      union all
      select s.created_at, 'imported', 'import', null, jsonb_build_object('import', s.import_id) from subscribers s
      where s.customer_id = ${customerId} and s.id = ${subscriberId} and s.import_id is not null
      union all
      select created_at, 'joined', 'import', subscription_list_id, ${JOINED_BY_IMPORT}
      from subscriptions
      where customer_id = ${customerId} and subscriber_id = ${subscriberId} and import_id is not null
    )
    select c.at, c.change, c.source, c.list as "listId", l.name as "listName", t.text,
      c.evidence || coalesce(jsonb_strip_nulls(jsonb_build_object('imported_at', i.created_at)), '{}') as evidence
    from changes c
    left join subscription_lists l on l.customer_id = ${customerId} and l.id = c.list
    left join consent_texts t on t.customer_id = ${customerId} and t.id = (c.evidence->>'text')::bigint
    left join imports i on i.customer_id = ${customerId} and i.id = (c.evidence->>'import')::uuid
    order by c.at, array_position(${IN_ORDER}::text[], c.change), c.list nulls first`.execute(tx);
  return rows;
}
