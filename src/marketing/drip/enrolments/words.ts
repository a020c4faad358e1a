import type { Leaving } from '../engine/traveller.ts';
import type { Node } from '../graph/graph.ts';

/** In words why somebody left a drip before its end. */
export const LEFT_AS: Record<Leaving, string> = {
  exit_step: 'a step ended it for them',
  goal: 'they reached its goal',
  unsubscribed: 'they opted out of mailings',
  left_list: 'they are no longer on its list',
  bounced: 'their address does not exist',
  suppressed: 'nothing is sent to their address',
  deleted: 'they were deleted',
  removed: 'somebody took them out of it',
  drip_completed: 'it was completed',
};

export const LEAVINGS = Object.keys(LEFT_AS) as [Leaving, ...Leaving[]];

/** In words why somebody would not enter a drip now. */
export const NOT_IN_AS = {
  drip_draft: 'The drip campaign has not been started.',
  drip_paused: 'The drip campaign is paused: nobody enters, and nobody goes on.',
  drip_completed: 'The drip campaign is completed.',
  opted_out: 'They have opted out of mailings.',
  not_on_list: 'They are not on its list, or have not confirmed that they want to be.',
  bounced: 'Their address does not exist.',
  suppressed: 'Nothing is sent to their address.',
  already_in: 'They are on their way through it and may not enter a second time.',
  may_not_reenter: 'They were in it before and may not enter again.',
} as const;

export type NotIn = keyof typeof NOT_IN_AS;

/** In words what comes next for somebody at a step. */
export function whatComes(node: Node, { inside, woken }: { inside: boolean; woken: boolean }): string {
  if (!inside) return `step ${node.id} (${node.type})`;
  if (node.type !== 'wait') return 'the wait is over';
  if (woken) return 'they go on, as what they waited for has happened';
  const waited = `they wait for ${node.for.event}`;
  return node.timeout === undefined ? waited : `${waited} until then`;
}
