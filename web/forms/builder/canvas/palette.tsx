import { useRef, useState } from 'react';
import { classes } from '../../../ui/classes.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { words as kindWords } from '../../../words/builder/kinds.ts';
import { words } from '../../../words/builder.ts';
import type { Kind } from '../draft/kinds.ts';
import { KIND_GROUPS } from '../kind-groups.ts';
import { KIND_ICONS } from '../kind-icons.ts';
import { useDraggable } from './drag.ts';

/** Every kind of field there is, to be pressed or dragged. */
export function Palette({ onAdd }: { onAdd(kind: Kind): void }) {
  const [sought, setSought] = useState('');
  const groups = Object.entries(KIND_GROUPS)
    .map(([group, kinds]) => ({
      group: group as keyof typeof KIND_GROUPS,
      kinds: kinds.filter((kind) => fits(kind, sought)),
    }))
    .filter(({ kinds }) => kinds.length > 0);
  return (
    <div className="flex flex-col gap-4">
      <Field label={words.findField} hideLabel>
        <Input
          type="search"
          placeholder={words.findField}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      </Field>
      {groups.map(({ group, kinds }) => (
        <div key={group} className="flex flex-col gap-1">
          <h3 className="text-xs font-semibold tracking-wide text-soft uppercase">{kindWords.groups[group]}</h3>
          <ul className="grid grid-cols-1 gap-1">
            {kinds.map((kind) => (
              <li key={kind}>
                <PaletteButton kind={kind} onAdd={onAdd} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {groups.length === 0 && <p className="text-sm text-soft">{words.noSuchField}</p>}
    </div>
  );
}

function fits(kind: Kind, sought: string): boolean {
  const { name, about } = kindWords.kinds[kind];
  return `${name} ${about}`.toLowerCase().includes(sought.trim().toLowerCase());
}

function PaletteButton({ kind, onAdd }: { kind: Kind; onAdd(kind: Kind): void }) {
  const ref = useRef<HTMLButtonElement>(null);
  const isDragged = useDraggable(ref, { what: 'new', kind }, true);
  const Icon = KIND_ICONS[kind];
  const { name, about } = kindWords.kinds[kind];
  return (
    <button
      ref={ref}
      type="button"
      title={about}
      aria-label={words.add(name)}
      onClick={() => onAdd(kind)}
      className={classes(
        'flex min-h-9 w-full cursor-grab items-center gap-2 rounded-md border bg-surface px-2.5 py-1.5 text-left text-sm hover:border-brand hover:bg-brand-soft',
        isDragged && 'opacity-50',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-brand" />
      {name}
    </button>
  );
}
