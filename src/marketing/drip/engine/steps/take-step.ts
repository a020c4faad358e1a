import type { ExitNode, Node, NodeType, WebhookNode } from '../../graph/graph.ts';
import type { Walker } from '../traveller.ts';
import { takeBranch } from './branch.ts';
import { takeDelay } from './delay.ts';
import { takeEmail } from './email.ts';
import { takeField } from './field.ts';
import { takeList } from './list.ts';
import type { Leg, TakeStep, Turn } from './turn.ts';
import { takeWait } from './wait.ts';

const takeWebhook: TakeStep<WebhookNode> = (_leg, node, walkers) => walkers.map(() => ({ to: node.next, calls: true }));

const takeExit: TakeStep<ExitNode> = (_leg, _node, walkers) => walkers.map(() => ({ leave: 'exit_step' }));

const TAKE: { [Type in NodeType]: TakeStep<Extract<Node, { type: Type }>> } = {
  email: takeEmail,
  delay: takeDelay,
  branch: takeBranch,
  wait: takeWait,
  list: takeList,
  field: takeField,
  webhook: takeWebhook,
  exit: takeExit,
};

/** Lets people take a step together, and answers what comes of it for each, in their order. */
export async function takeStep(leg: Leg, node: Node, walkers: Walker[]): Promise<Turn[]> {
  return (TAKE[node.type] as TakeStep<Node>)(leg, node, walkers);
}
