import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Graph, SentGraph } from '../graph/graph.ts';
import { keepIds, knownSteps } from '../graph/keep-ids.ts';
import type { Drip } from './drip.ts';
import '../tables.ts';

/**
 * Steps that were sent for a drip, where those without an id have the one of the same step of the newest version. The others
 * get one that no version had: by its id a step is known from version to version.
 */
export async function nameSteps(tx: Tx, drip: Drip, sent: SentGraph, newest: Graph): Promise<Graph> {
  const known = knownSteps(sent, newest);
  const isAllKnown = [...sent.unnamed].every((id) => known.has(id));
  return keepIds(sent, known, isAllKnown ? [] : await usedIds(tx, drip));
}

/** The ids of all steps that a drip ever had. */
async function usedIds(tx: Tx, { id, customer_id: customerId }: Drip): Promise<string[]> {
  const { rows } = await sql<{ step: string }>`
    select distinct n.node->>'id' as step from drip_versions v
    cross join lateral jsonb_array_elements(v.graph->'nodes') as n (node)
    where v.customer_id = ${customerId} and v.drip_id = ${id}`.execute(tx);
  return rows.map(({ step }) => step);
}
