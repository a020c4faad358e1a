import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { isHeard, listNodes } from '../../platform/nodes.ts';

const ROLES = ['http', 'smtp', 'worker'];

/** How many processes play each role and were heard of just now, and how many fell silent without taking leave. */
export interface NodeCounts {
  byRole: { role: string; count: number }[];
  silent: number;
}

/** Counts the processes of the installation. */
export async function countNodes({ db, clock }: { db: Database; clock: Clock }): Promise<NodeCounts> {
  const now = clock.now();
  const nodes = await db.untenanted(listNodes);
  const heard = nodes.filter((node) => isHeard(node, now));
  const byRole = ROLES.map((role) => ({ role, count: heard.filter(({ roles }) => roles.includes(role)).length }));
  return { byRole, silent: nodes.length - heard.length };
}
