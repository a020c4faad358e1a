import { Plus } from 'lucide-react';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../../../words/blocks.ts';
import { BlockCard } from './block-card.tsx';
import { useCanvas } from './canvas-context.ts';
import { useListDrop } from './drag.ts';
import { endOf, type Item, MAIL } from './items.ts';
import { ICONS, KINDS } from './kinds.ts';

interface BlockListProps {
  list: string;
  items: readonly Item[];
  label: string;
  addLabel: string;
  /** The path of the block at an index, as the product names it. */
  pathOf(index: number): string;
}

/** Blocks under each other, and a menu that adds another one. */
export function BlockList({ list, items, label, addLabel, pathOf }: BlockListProps) {
  const { add, move } = useCanvas();
  const element = useListDrop({ list, index: items.length }, move);
  const kinds = list === MAIL ? KINDS : KINDS.filter((kind) => !kind.startsWith('columns'));
  return (
    <div className="flex flex-col gap-2">
      <ul ref={element} aria-label={label} className="flex min-h-10 flex-col gap-2">
        {items.map((item, index) => (
          <BlockCard key={item.id} item={item} place={{ list, index }} of={items.length} path={pathOf(index)} />
        ))}
        {items.length === 0 && (
          <li className="rounded-md border border-dashed p-3 text-sm text-soft">{words.emptyColumn}</li>
        )}
      </ul>
      <div className="self-start rounded-md border border-line-strong">
        <Menu
          label={addLabel}
          trigger={
            <>
              <Plus aria-hidden className="size-4" />
              <span className="text-sm font-medium">{addLabel}</span>
            </>
          }
          items={kinds.map((kind) => ({
            label: words.kinds[kind],
            icon: ICONS[kind],
            onSelect: () => add(kind, { list, index: endOf(items) }),
          }))}
        />
      </div>
    </div>
  );
}
