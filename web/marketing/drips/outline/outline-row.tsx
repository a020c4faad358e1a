import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { words } from '../../../words/drips/steps.ts';
import { words as page } from '../../../words/drips.ts';
import { AddStepMenu } from '../canvas/add-step-menu.tsx';
import { STEP_GROUNDS, STEP_ICONS } from '../canvas/icons.ts';
import { useEditing } from '../editing.ts';
import { stepInWords } from '../model/in-words.ts';
import type { Step } from '../model/step.ts';
import { type Place, shiftStep } from '../model/tree.ts';

export interface Row {
  step: Step;
  place: Place;
  foot(id: string): ReactNode;
}

/** One step in the list: chosen by Enter, moved by Alt and the arrows, removed by Delete, or by its buttons. */
export function OutlineRow({ step, place, foot }: Row) {
  const { draft, names, change, remove, add, select, selected, problems, mayChange } = useEditing();
  const Icon = STEP_ICONS[step.type];
  const kind = words.kinds[step.type];
  const line = stepInWords(step, names);
  const problem = problems.get(step.id);
  const shift = (by: -1 | 1) => change({ ...draft, steps: shiftStep(draft.steps, step.id, by) });
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keyOf(event);
    if (act === null || !mayChange) return;
    event.preventDefault();
    if (act === 'remove') remove(step.id);
    else shift(act);
  };
  return (
    <div
      className={classes(
        'flex flex-wrap items-start gap-1 rounded-md border bg-surface p-1',
        problem !== undefined ? 'border-bad' : selected === step.id ? 'border-brand' : 'border-line-strong',
      )}
    >
      <button
        type="button"
        id={`outline-${step.id}`}
        aria-pressed={selected === step.id}
        onClick={() => select(step.id)}
        onKeyDown={onKeyDown}
        className="flex min-w-48 grow basis-0 items-start gap-2 rounded px-2 py-1.5 text-left hover:bg-sunken"
      >
        <span className={classes('grid size-6 shrink-0 place-items-center rounded', STEP_GROUNDS[step.type])}>
          <Icon aria-hidden className="size-4" />
        </span>
        <span className="min-w-0">
          <span className="block text-xs font-semibold text-soft">{kind}</span>
          <span className="block text-sm break-words">{line}</span>
          <span className="flex flex-wrap gap-2 text-xs text-soft tabular-nums">{foot(step.id)}</span>
          {problem !== undefined && <span className="block text-sm text-bad">{problem}</span>}
        </span>
      </button>
      {mayChange && (
        <div className="flex items-center">
          <Button look="quiet" icon={ArrowUp} aria-label={page.moveUp(kind, line)} onClick={() => shift(-1)} />
          <Button look="quiet" icon={ArrowDown} aria-label={page.moveDown(kind, line)} onClick={() => shift(1)} />
          <Button look="quiet" icon={Trash2} aria-label={page.remove(kind, line)} onClick={() => remove(step.id)} />
          {step.type !== 'exit' && step.type !== 'goto' && (
            <AddStepMenu
              label={page.addAfter(kind, line)}
              onAdd={(next) => add(next, { ...place, index: place.index + 1 })}
            />
          )}
        </div>
      )}
    </div>
  );
}

function keyOf({ key, altKey }: KeyboardEvent): -1 | 1 | 'remove' | null {
  if (altKey && key === 'ArrowUp') return -1;
  if (altKey && key === 'ArrowDown') return 1;
  return key === 'Delete' ? 'remove' : null;
}
