import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Node } from '../graph/graph.ts';
import '../tables.ts';

/** Steps by id, as a version has them, or else the newest that does: whoever was moved has been at steps of others. */
export async function readSteps(
  tx: Tx,
  { id, customer_id: customerId }: Drip,
  version: number,
  steps: readonly string[],
): Promise<ReadonlyMap<string, Node>> {
  const { rows } = await sql<{ node: Node }>`
    select distinct on (n.node->>'id') n.node
    from drip_versions v cross join lateral jsonb_array_elements(v.graph->'nodes') as n (node)
    where v.customer_id = ${customerId} and v.drip_id = ${id} and n.node->>'id' = any(${steps}::text[])
    order by n.node->>'id', v.version = ${version} desc, v.version desc`.execute(tx);
  return new Map(rows.map(({ node }) => [node.id, node]));
}
