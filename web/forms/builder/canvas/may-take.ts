import { useBuilder } from '../builder-context.ts';
import { mayStandIn } from '../draft/edit.ts';
import { mayHold } from '../draft/kinds.ts';
import { findElement, findPage } from '../draft/tree.ts';
import type { Dragged } from './drag.ts';

/** Tells whether what is dragged can stand in a page or a container. */
export function useMayTake(): (dragged: Dragged, into: string) => boolean {
  const { draft, mayEdit } = useBuilder();
  return (dragged, into) => {
    if (!mayEdit) return false;
    if (dragged.what === 'element') {
      const element = findElement(draft, dragged.key)?.element;
      return element !== undefined && mayStandIn(draft, element, into);
    }
    const box = findElement(draft, into)?.element;
    return findPage(draft, into) !== null || (box !== undefined && mayHold(box, dragged.kind));
  };
}
