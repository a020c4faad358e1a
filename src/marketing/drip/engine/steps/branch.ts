import type { BranchNode } from '../../graph/graph.ts';
import { whoFits } from '../who-fits.ts';
import type { TakeStep } from './turn.ts';

/** Parts people by what is true of them. */
export const takeBranch: TakeStep<BranchNode> = async ({ tx, clock, drip, version }, node, walkers) => {
  const people = walkers.map(({ person }) => person);
  const occasion = { customerId: drip.customer_id, at: clock.now() };
  const fitting = await whoFits(tx, occasion, node.if, version.filtersOf(node.id), people);
  return walkers.map(({ person }) =>
    fitting.has(person.id) ? { to: node.then, outcome: 'then' } : { to: node.else, outcome: 'else' },
  );
};
