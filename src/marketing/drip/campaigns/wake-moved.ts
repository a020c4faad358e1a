import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Occasion } from '../../segments/compile.ts';
import { whoDidAlready } from '../engine/who-did-already.ts';
import type { Person } from '../engine/who-fits.ts';
import type { Graph } from '../graph/graph.ts';
import { nodeById } from '../graph/links.ts';
import { stepsInLoops } from '../graph/loops.ts';
import '../tables.ts';

/** Lets those go on who wait for something else since they were moved, where that has happened already. */
export async function wakeMoved(
  tx: Tx,
  occasion: Occasion,
  graph: Graph,
  waiting: (Person & { step: string })[],
): Promise<void> {
  const nodes = nodeById(graph);
  const loops = stepsInLoops(graph);
  for (const [step, together] of Map.groupBy(waiting, (person) => person.step)) {
    const node = nodes.get(step);
    if (node?.type !== 'wait') continue;
    const did = await whoDidAlready(tx, occasion, { node, loops }, together);
    await sql`update drip_enrolments set woken = true, due_at = ${occasion.at}
      where customer_id = ${occasion.customerId} and id = any(${[...did]}::uuid[])`.execute(tx);
  }
}
