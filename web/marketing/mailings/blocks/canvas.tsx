import { useState } from 'react';
import { words } from '../../../words/blocks.ts';
import type { MergeField } from '../write/merge-fields.ts';
import { BlockList } from './block-list.tsx';
import { type Canvas, CanvasContext } from './canvas-context.ts';
import { changeItem, copyOf, type Item, insertItem, listOf, MAIL, moveItem, placeOf, removeItem } from './items.ts';
import { kindOf, newItem } from './kinds.ts';

interface BlockCanvasProps {
  items: readonly Item[];
  fields: readonly MergeField[];
  problems: readonly { field: string; message: string }[];
  /** Changes with the same topic that follow each other are one step. */
  onChange(change: (items: readonly Item[]) => readonly Item[], topic?: string): void;
}

/** A mailing laid out block by block, by mouse or by keyboard. */
export function BlockCanvas({ items, fields, problems, onChange }: BlockCanvasProps) {
  const [openId, open] = useState<string | null>(null);
  const [said, say] = useState('');
  const canvas: Canvas = {
    fields,
    openId,
    open,
    problemsAt: (path) =>
      problems
        .filter(
          ({ field }) => field === path || (field.startsWith(`${path}.`) && !field.startsWith(`${path}.columns[`)),
        )
        .map(({ message }) => message),
    change: (id, change) => onChange((now) => changeItem(now, id, change), id),
    move: (id, to) => {
      const after = moveItem(items, id, to);
      const place = placeOf(after, id);
      const there = place === null ? [] : listOf(after, place.list);
      const item = place === null ? undefined : there[place.index];
      if (place !== null && item !== undefined) say(words.moved(nameOf(item), place.index + 1, there.length));
      onChange(() => after);
    },
    add: (kind, at) => {
      const item = newItem(kind);
      onChange((now) => insertItem(now, at, item));
      open(item.id);
      say(words.added(words.kinds[kind]));
    },
    duplicate: (item) => {
      const place = placeOf(items, item.id);
      if (place !== null) onChange((now) => insertItem(now, { ...place, index: place.index + 1 }, copyOf(item)));
      say(words.added(nameOf(item)));
    },
    remove: (item) => {
      onChange((now) => removeItem(now, item.id));
      say(words.removed(nameOf(item)));
    },
  };
  return (
    <CanvasContext value={canvas}>
      <BlockList
        list={MAIL}
        items={items}
        label={words.list}
        addLabel={words.add}
        pathOf={(index) => `blocks[${index}]`}
      />
      <p role="status" className="sr-only">
        {said}
      </p>
    </CanvasContext>
  );
}

function nameOf(item: Item): string {
  return words.kinds[kindOf(item)];
}
