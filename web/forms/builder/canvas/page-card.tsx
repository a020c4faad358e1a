import { ArrowDown, ArrowUp, GitBranch, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { classes } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../../../words/builder.ts';
import { useBuilder } from '../builder-context.ts';
import type { DraftPage } from '../draft/draft.ts';
import { pageInWords } from '../place-in-words.ts';
import { showWhenOf } from '../rules/condition.ts';
import { type Actions, useActions } from './actions.ts';
import { ElementList } from './element-list.tsx';
import { neighbourOf } from './neighbour.ts';

/** A page of the form with everything on it. */
export function PageCard({ page }: { page: DraftPage }) {
  const { draft, selected, select, mayEdit, focusOn } = useBuilder();
  const actions = useActions();
  const label = pageInWords(draft, page);
  const isSelected = selected === page.key;
  return (
    <section
      aria-label={label}
      className={classes('rounded-lg border bg-canvas', isSelected && 'border-brand ring-1 ring-brand')}
    >
      <div className="flex items-center gap-1 rounded-t-lg border-b bg-surface px-1">
        <h3 className="min-w-0 grow">
          <button
            type="button"
            data-row={page.key}
            aria-pressed={isSelected}
            onClick={(event) => {
              select(page.key);
              if (event.detail === 0) focusOn('properties');
            }}
            onKeyDown={(event) => takeKey(event, page, actions, mayEdit)}
            className="flex min-h-11 w-full items-center gap-2 rounded-md px-2 text-left text-sm font-semibold"
          >
            <span className="line-clamp-2 break-words">{label}</span>
            {showWhenOf(page.raw) !== '' && (
              <span title={words.conditional}>
                <GitBranch aria-hidden className="size-4 text-soft" />
                <span className="sr-only">{words.conditional}</span>
              </span>
            )}
          </button>
        </h3>
        {mayEdit && (
          <Menu
            label={words.actions(label)}
            items={[
              { label: words.moveUp, icon: ArrowUp, onSelect: () => actions.stepPage(page.key, -1) },
              { label: words.moveDown, icon: ArrowDown, onSelect: () => actions.stepPage(page.key, 1) },
              { label: words.removePage, icon: Trash2, danger: true, onSelect: () => actions.removePage(page.key) },
            ]}
          />
        )}
      </div>
      <div className="p-3">
        <ElementList list={page.items} into={page.key} empty={words.emptyPage} />
      </div>
    </section>
  );
}

function takeKey(event: KeyboardEvent<HTMLElement>, page: DraftPage, actions: Actions, mayEdit: boolean): void {
  const isUp = event.key === 'ArrowUp';
  if (!isUp && event.key !== 'ArrowDown') return;
  event.preventDefault();
  if (event.altKey && mayEdit) actions.stepPage(page.key, isUp ? -1 : 1);
  else neighbourOf(event.currentTarget, isUp ? -1 : 1)?.focus();
}
