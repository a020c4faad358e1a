import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { MAIL, type Place } from './items.ts';

interface Dragged {
  blockId: string;
  isColumns: boolean;
}

type Move = (id: string, to: Place) => void;

function readDragged(data: Record<string | symbol, unknown>): Dragged | null {
  return typeof data.blockId === 'string' ? { blockId: data.blockId, isColumns: data.isColumns === true } : null;
}

function mayDrop(data: Record<string | symbol, unknown>, list: string): boolean {
  const dragged = readDragged(data);
  return dragged !== null && (list === MAIL || !dragged.isColumns);
}

interface Draggable extends Dragged {
  place: Place;
  onMove: Move;
}

interface Drag {
  element: RefObject<HTMLLIElement | null>;
  handle: RefObject<HTMLButtonElement | null>;
  /** Where a block that is held over this one would go. */
  edge: 'before' | 'after' | null;
  isDragging: boolean;
}

/** Lets a block be dragged by its handle, and others be put before or after it. */
export function useBlockDrag({ blockId, isColumns, place: { list, index }, onMove }: Draggable): Drag {
  const element = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [edge, setEdge] = useState<'before' | 'after' | null>(null);
  const [isDragging, setDragging] = useState(false);
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(() => {
    const own = element.current as HTMLLIElement;
    const edgeAt = (y: number) => {
      const { top, height } = own.getBoundingClientRect();
      return y < top + height / 2 ? 'before' : 'after';
    };
    return combine(
      draggable({
        element: own,
        dragHandle: handle.current as HTMLButtonElement,
        getInitialData: () => ({ blockId, isColumns }),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element: own,
        canDrop: ({ source }) => mayDrop(source.data, list) && source.data.blockId !== blockId,
        onDrag: ({ location, self }) => {
          const isInnermost = location.current.dropTargets[0]?.element === self.element;
          setEdge(isInnermost ? edgeAt(location.current.input.clientY) : null);
        },
        onDragLeave: () => setEdge(null),
        onDrop: ({ location, self, source }) => {
          setEdge(null);
          const dragged = readDragged(source.data);
          if (dragged === null || location.current.dropTargets[0]?.element !== self.element) return;
          const isAfter = edgeAt(location.current.input.clientY) === 'after';
          move.current(dragged.blockId, { list, index: isAfter ? index + 1 : index });
        },
      }),
    );
  }, [blockId, isColumns, list, index]);
  return { element, handle, edge, isDragging };
}

/** Lets blocks be dropped at the end of a list, wherever it is empty. */
export function useListDrop({ list, index }: Place, onMove: Move): RefObject<HTMLUListElement | null> {
  const element = useRef<HTMLUListElement>(null);
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(
    () =>
      dropTargetForElements({
        element: element.current as HTMLUListElement,
        canDrop: ({ source }) => mayDrop(source.data, list),
        onDrop: ({ location, self, source }) => {
          const dragged = readDragged(source.data);
          const isInnermost = location.current.dropTargets[0]?.element === self.element;
          if (dragged !== null && isInnermost) move.current(dragged.blockId, { list, index });
        },
      }),
    [list, index],
  );
  return element;
}
