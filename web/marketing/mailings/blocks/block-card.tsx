import { ArrowDown, ArrowUp, Copy, GripVertical, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { classes } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../../../words/blocks.ts';
import { BlockFields } from './block-fields.tsx';
import { BlockList } from './block-list.tsx';
import { useCanvas } from './canvas-context.ts';
import { useBlockDrag } from './drag.ts';
import { columnOf, type Item, type Place } from './items.ts';
import { ICONS, kindOf, summaryOf } from './kinds.ts';

interface BlockCardProps {
  item: Item;
  place: Place;
  of: number;
  path: string;
}

/** One block: what it says in a line, its fields when it is open, and ways to move it. */
export function BlockCard({ item, place, of, path }: BlockCardProps) {
  const canvas = useCanvas();
  const isColumns = 'columns' in item;
  const { element, handle, edge, isDragging } = useBlockDrag({
    blockId: item.id,
    isColumns,
    place,
    onMove: canvas.move,
  });
  const kind = kindOf(item);
  const name = words.kinds[kind];
  const Icon = ICONS[kind];
  const isOpen = canvas.openId === item.id;
  const problems = canvas.problemsAt(path);
  const step = (by: -1 | 1) =>
    canvas.move(item.id, { list: place.list, index: by === 1 ? place.index + 2 : place.index - 1 });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && place.index > 0) step(-1);
    else if (event.key === 'ArrowDown' && place.index < of - 1) step(1);
    else return;
    event.preventDefault();
  };
  return (
    <li
      ref={element}
      className={classes(
        'rounded-md border bg-surface',
        isDragging && 'opacity-50',
        isOpen && 'border-brand',
        edge === 'before' && 'border-t-4 border-t-brand',
        edge === 'after' && 'border-b-4 border-b-brand',
      )}
    >
      <div className="flex items-center gap-1 p-1">
        <button
          ref={handle}
          type="button"
          aria-label={words.handle(name, place.index + 1, of)}
          className="cursor-grab rounded p-2 text-soft hover:bg-sunken"
          onKeyDown={onKey}
        >
          <GripVertical aria-hidden className="size-4" />
        </button>
        <BlockFace item={item} name={name} icon={Icon} isOpen={isOpen} />
        <Menu
          label={words.moreOf(name)}
          items={[
            { label: words.moveUp, icon: ArrowUp, disabled: place.index === 0, onSelect: () => step(-1) },
            { label: words.moveDown, icon: ArrowDown, disabled: place.index === of - 1, onSelect: () => step(1) },
            { label: words.duplicate, icon: Copy, onSelect: () => canvas.duplicate(item) },
            { label: words.remove, icon: Trash2, danger: true, onSelect: () => canvas.remove(item) },
          ]}
        />
      </div>
      {problems.map((problem) => (
        <p key={problem} role="alert" className="px-3 pb-2 text-sm text-bad">
          {problem}
        </p>
      ))}
      {isColumns ? (
        <Columns item={item} path={path} />
      ) : (
        isOpen && (
          <div className="border-t p-3">
            <BlockFields item={item} />
          </div>
        )
      )}
    </li>
  );
}

function BlockFace({
  item,
  name,
  icon: Icon,
  isOpen,
}: {
  item: Item;
  name: string;
  icon: (typeof ICONS)['heading'];
  isOpen: boolean;
}) {
  const { open } = useCanvas();
  const summary = summaryOf(item);
  const face = (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-brand" />
      {!('columns' in item) && <span className="sr-only">{words.edit}</span>}
      <span className="shrink-0 font-medium">{name}</span>
      <span className="truncate text-soft">{summary}</span>
    </>
  );
  const look = 'flex min-w-0 grow items-center gap-2 rounded px-2 py-2 text-left text-sm';
  if ('columns' in item) return <div className={look}>{face}</div>;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className={classes(look, 'hover:bg-sunken')}
      onClick={() => open(isOpen ? null : item.id)}
    >
      {face}
    </button>
  );
}

function Columns({ item, path }: { item: Extract<Item, { columns: unknown }>; path: string }) {
  return (
    <div
      className={classes(
        'grid grid-cols-1 gap-3 border-t p-3',
        item.columns.length === 2 ? 'md:grid-cols-2' : 'md:grid-cols-3',
      )}
    >
      {item.columns.map((column, at) => (
        <BlockList
          key={columnOf(item.id, at)}
          list={columnOf(item.id, at)}
          items={column}
          label={words.column(at + 1)}
          addLabel={words.addTo(at + 1)}
          pathOf={(index) => `${path}.columns[${at}][${index}]`}
        />
      ))}
    </div>
  );
}
