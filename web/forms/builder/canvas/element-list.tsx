import { useRef } from 'react';
import { classes } from '../../../ui/classes.ts';
import type { Element } from '../draft/draft.ts';
import { useDropTarget } from './drag.ts';
import { ElementRow } from './element-row.tsx';
import { useMayTake } from './may-take.ts';

/** The elements of a page or of a container, with room at the end for another. */
export function ElementList({ list, into, empty }: { list: readonly Element[]; into: string; empty: string }) {
  const end = useRef<HTMLDivElement>(null);
  const mayTake = useMayTake();
  const isOver = useDropTarget(end, {
    spotIn: () => ({ into, index: list.length }),
    mayTake: (dragged) => mayTake(dragged, into),
  });
  return (
    <div className="flex flex-col gap-2">
      {list.length > 0 && (
        <ul className="flex flex-col gap-2">
          {list.map((element, index) => (
            <ElementRow key={element.key} element={element} into={into} index={index} />
          ))}
        </ul>
      )}
      <div
        ref={end}
        className={classes(
          'rounded-md text-sm',
          list.length === 0 ? 'border border-dashed border-line-strong px-4 py-4 text-center text-soft' : 'min-h-3',
          isOver !== null && 'bg-brand-soft',
        )}
      >
        {list.length === 0 && empty}
      </div>
    </div>
  );
}
