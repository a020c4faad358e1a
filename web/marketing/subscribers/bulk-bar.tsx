import { CircleOff, ListMinus, ListPlus, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/subscribers.ts';
import type { PeopleChoice } from './choice.ts';
import { type ConsentAct, ConsentDialog } from './consent-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';

/** Who is selected: these, or everybody whom the table shows. */
export interface Selected {
  ids: ReadonlySet<string>;
  everybody: boolean;
}

interface BulkBarProps {
  choice: PeopleChoice;
  total: number;
  selected: Selected;
  onSelect(selected: Selected): void;
  onNone(): void;
}

/** What can be done with those who are selected. */
export function BulkBar({ choice, total, selected, onSelect, onNone }: BulkBarProps) {
  const [act, setAct] = useState<ConsentAct | 'delete' | null>(null);
  const count = selected.everybody ? total : selected.ids.size;
  const close = () => setAct(null);
  const done = () => {
    close();
    onNone();
  };
  return (
    <div
      role="region"
      aria-label={words.selected(count)}
      className="flex flex-wrap items-center gap-2 rounded-lg bg-brand-soft px-3 py-2"
    >
      <p role="status" className="mr-2 text-sm font-medium text-brand">
        {selected.everybody ? words.everybody(total) : words.selected(count)}
      </p>
      <Button icon={ListPlus} onClick={() => setAct('putOn')}>
        {words.putOn}
      </Button>
      <Button icon={ListMinus} onClick={() => setAct('takeOff')}>
        {words.takeOff}
      </Button>
      <Button icon={CircleOff} onClick={() => setAct('optOut')}>
        {words.optOut}
      </Button>
      <Button icon={Undo2} onClick={() => setAct('optIn')}>
        {words.optIn}
      </Button>
      {!selected.everybody && (
        <Button look="danger" icon={Trash2} onClick={() => setAct('delete')}>
          {words.deleteMany}
        </Button>
      )}
      {!selected.everybody && total > selected.ids.size && (
        <Button look="quiet" onClick={() => onSelect({ ids: selected.ids, everybody: true })}>
          {words.selectEverybody(total)}
        </Button>
      )}
      <Button look="quiet" onClick={onNone}>
        {words.unselect}
      </Button>
      {act === 'delete' && <DeleteDialog ids={[...selected.ids]} onClose={close} onDone={done} />}
      {act !== null && act !== 'delete' && (
        <ConsentDialog
          act={act}
          count={count}
          people={selected.everybody ? { choice } : { ids: [...selected.ids] }}
          onClose={close}
          onDone={done}
        />
      )}
    </div>
  );
}
