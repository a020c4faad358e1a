import { Asterisk, GitBranch, GripVertical } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { classes } from '../../../ui/classes.ts';
import { words } from '../../../words/builder.ts';
import { useBuilder } from '../builder-context.ts';
import type { Element } from '../draft/draft.ts';
import { isContainer, kindOfElement } from '../draft/kinds.ts';
import { settingsOf } from '../draft/settings.ts';
import { KIND_ICONS } from '../kind-icons.ts';
import { elementInWords, kindInWords } from '../place-in-words.ts';
import { showWhenOf } from '../rules/condition.ts';
import { type Actions, useActions } from './actions.ts';
import { useDraggable, useDropTarget } from './drag.ts';
import { ElementList } from './element-list.tsx';
import { ElementMenu } from './element-menu.tsx';
import { useMayTake } from './may-take.ts';
import { neighbourOf } from './neighbour.ts';

/** An element on the canvas, with what stands inside of it. */
export function ElementRow({ element, into, index }: { element: Element; into: string; index: number }) {
  const { selected, select, mayEdit, focusOn, problems, keyOfFinding } = useBuilder();
  const actions = useActions();
  const row = useRef<HTMLDivElement>(null);
  const isBox = isContainer(element);
  const isDragged = useDraggable(row, { what: 'element', key: element.key }, mayEdit);
  const mayTake = useMayTake();
  const half = useDropTarget(row, {
    spotIn: (over) => {
      if (over === 'upper') return { into, index };
      return isBox ? { into: element.key, index: 0 } : { into, index: index + 1 };
    },
    mayTake: (dragged) => mayTake(dragged, into) && !(dragged.what === 'element' && dragged.key === element.key),
  });
  const isSelected = selected === element.key;
  const hasError = problems.some((finding) => finding.severity === 'error' && keyOfFinding(finding) === element.key);
  const Icon = KIND_ICONS[kindOfElement(element)];
  return (
    <li className={classes('relative', isDragged && 'opacity-50')}>
      {half === 'upper' && <DropLine at="top" />}
      <div
        ref={row}
        className={classes(
          'group flex items-center gap-1 rounded-md border bg-surface pr-1',
          isSelected
            ? 'border-brand ring-1 ring-brand'
            : hasError
              ? 'border-bad'
              : 'border-line hover:border-line-strong',
        )}
      >
        {mayEdit && <GripVertical aria-hidden className="ml-1 size-4 shrink-0 cursor-grab text-soft" />}
        <button
          type="button"
          data-row={element.key}
          aria-pressed={isSelected}
          onClick={(event) => {
            select(element.key);
            if (event.detail === 0) focusOn('properties');
          }}
          onKeyDown={(event) => mayEdit && takeKey(event, element, actions)}
          className="flex min-h-11 min-w-0 grow items-center gap-3 rounded-md px-2 py-2 text-left"
        >
          <Icon aria-hidden className="size-4 shrink-0 text-brand" />
          <span className="flex min-w-0 grow flex-col">
            <span className="line-clamp-2 font-medium break-words">{elementInWords(element)}</span>
            <span className="text-xs text-soft">{kindInWords(element)}</span>
          </span>
          <Marks element={element} />
        </button>
        {mayEdit && <ElementMenu element={element} actions={actions} />}
      </div>
      {half === 'lower' && !isBox && <DropLine at="bottom" />}
      {isBox && (
        <div className={classes('mt-2 ml-4 border-l-2 pl-3', half === 'lower' ? 'border-brand' : 'border-line')}>
          <ElementList list={element.children} into={element.key} empty={words.emptyBox} />
        </div>
      )}
    </li>
  );
}

function Marks({ element }: { element: Element }) {
  const isRequired = settingsOf(element.raw).flag('required', 'isrequired', 'mandatory');
  const isConditional = showWhenOf(element.raw) !== '';
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-soft">
      {isConditional && (
        <span title={words.conditional}>
          <GitBranch aria-hidden className="size-4" />
          <span className="sr-only">{words.conditional}</span>
        </span>
      )}
      {isRequired && (
        <span title={words.required}>
          <Asterisk aria-hidden className="size-4" />
          <span className="sr-only">{words.required}</span>
        </span>
      )}
    </span>
  );
}

function DropLine({ at }: { at: 'top' | 'bottom' }) {
  return (
    <div
      aria-hidden
      className={classes(
        'pointer-events-none absolute inset-x-0 h-0.5 rounded bg-brand',
        at === 'top' ? '-top-1.5' : '-bottom-1.5',
      )}
    />
  );
}

function takeKey(event: KeyboardEvent<HTMLElement>, element: Element, actions: Actions): void {
  const isUp = event.key === 'ArrowUp';
  if (isUp || event.key === 'ArrowDown') {
    if (event.altKey) actions.step(element, isUp ? -1 : 1);
    else neighbourOf(event.currentTarget, isUp ? -1 : 1)?.focus();
  } else if (event.key === 'Delete') actions.remove(element);
  else if (event.key.toLowerCase() === 'd' && (event.ctrlKey || event.metaKey)) actions.duplicate(element);
  else return;
  event.preventDefault();
}
