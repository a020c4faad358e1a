import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Kind } from '../draft/kinds.ts';
import type { Spot } from '../draft/tree.ts';

/** What is dragged: a new element of a kind, or one that stands on the canvas. */
export type Dragged = { what: 'new'; kind: Kind } | { what: 'element'; key: string };

/** Lets an element of the page be dragged; tells whether it is. */
export function useDraggable(ref: RefObject<HTMLElement | null>, dragged: Dragged, isOn: boolean): boolean {
  const [isDragged, setDragged] = useState(false);
  const data = useRef(dragged);
  data.current = dragged;
  useEffect(() => {
    if (ref.current === null || !isOn) return undefined;
    return draggable({
      element: ref.current,
      getInitialData: () => ({ dragged: data.current }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [ref, isOn]);
  return isDragged;
}

interface Target {
  /** Where something goes that is let go in the upper or the lower half. */
  spotIn(half: 'upper' | 'lower'): Spot;
  mayTake(dragged: Dragged): boolean;
}

/** Lets something be dropped on an element of the page; tells over which half of it something is held. */
export function useDropTarget(ref: RefObject<HTMLElement | null>, target: Target): 'upper' | 'lower' | null {
  const [half, setHalf] = useState<'upper' | 'lower' | null>(null);
  const current = useRef(target);
  current.current = target;
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => current.current.mayTake(source.data['dragged'] as Dragged),
      getData: ({ input }) => {
        const over = halfOf(element, input.clientY);
        return { half: over, spot: current.current.spotIn(over) };
      },
      onDrag: ({ self, location }) => {
        const isInnermost = location.current.dropTargets[0]?.element === element;
        setHalf(isInnermost ? (self.data['half'] as 'upper' | 'lower') : null);
      },
      onDragLeave: () => setHalf(null),
      onDrop: () => setHalf(null),
    });
  }, [ref]);
  return half;
}

/** Hears of everything that is dropped on a target. */
export function useDrops(onDrop: (dragged: Dragged, spot: Spot) => void): void {
  const tell = useRef(onDrop);
  tell.current = onDrop;
  useEffect(
    () =>
      monitorForElements({
        onDrop: ({ source, location }) => {
          const spot = location.current.dropTargets[0]?.data['spot'] as Spot | undefined;
          const dragged = source.data['dragged'] as Dragged | undefined;
          if (spot !== undefined && dragged !== undefined) tell.current(dragged, spot);
        },
      }),
    [],
  );
}

function halfOf(element: Element, y: number): 'upper' | 'lower' {
  const { top, height } = element.getBoundingClientRect();
  return y < top + height / 2 ? 'upper' : 'lower';
}
