import { ArrowDown, ArrowUp, Copy, MoveRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../../../words/builder.ts';
import type { Element } from '../draft/draft.ts';
import { elementInWords } from '../place-in-words.ts';
import type { Actions } from './actions.ts';
import { MoveDialog } from './move-dialog.tsx';

/** What can be done with an element, by pointer or by keyboard. */
export function ElementMenu({ element, actions }: { element: Element; actions: Actions }) {
  const [isMoving, setMoving] = useState(false);
  return (
    <>
      <Menu
        label={words.actions(elementInWords(element))}
        items={[
          { label: words.moveUp, icon: ArrowUp, onSelect: () => actions.step(element, -1) },
          { label: words.moveDown, icon: ArrowDown, onSelect: () => actions.step(element, 1) },
          { label: words.moveTo, icon: MoveRight, onSelect: () => setMoving(true) },
          { label: words.duplicate, icon: Copy, onSelect: () => actions.duplicate(element) },
          { label: words.remove, icon: Trash2, danger: true, onSelect: () => actions.remove(element) },
        ]}
      />
      {isMoving && (
        <MoveDialog element={element} onMove={(spot) => actions.move(element, spot)} onClose={() => setMoving(false)} />
      )}
    </>
  );
}
