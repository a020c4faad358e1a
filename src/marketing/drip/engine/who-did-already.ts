import type { Tx } from '../../../platform/db/database.ts';
import type { Occasion } from '../../segments/compile.ts';
import type { WaitNode } from '../graph/graph.ts';
import { type Person, whoFits } from './who-fits.ts';

/**
 * Who has opened the mailing or followed a link in it by the time they come to wait for that: it does not happen a second
 * time. In a loop the next mail is meant, so that the last one does not count.
 */
export async function whoDidAlready(
  tx: Tx,
  occasion: Occasion,
  { node, loops }: { node: WaitNode; loops: ReadonlySet<string> },
  arriving: Person[],
): Promise<Set<string>> {
  const { event } = node.for;
  if ((event !== 'opened' && event !== 'clicked') || loops.has(node.id) || arriving.length === 0) return new Set();
  const test =
    event === 'opened' ? { opened: node.for.campaign_mailing_id } : { clicked: node.for.campaign_mailing_id };
  return whoFits(tx, occasion, test, null, arriving);
}
