import type { Node } from './graph.ts';
import type { Link } from './links.ts';
import { ownFieldsOf } from './own-fields.ts';
import type { Step } from './steps.ts';

/** A step with what nests in it. A delay says its time in its own fields, and a wait leaves out what is empty. */
export function writeStep(node: Node, then: Step[], otherwise: Step[]): Step {
  const own = ownFieldsOf(node);
  if (own.type === 'delay' && 'span' in own) return { id: node.id, type: own.type, ...own.span };
  const arms: [Link, Step[]][] = [
    ['then', then],
    ['else', otherwise],
  ];
  const shown = arms.filter(([, list]) => own.type === 'branch' || list.length > 0);
  return { id: node.id, ...own, ...Object.fromEntries(shown) };
}
