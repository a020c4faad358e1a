import { Link } from '@tanstack/react-router';
import { List, PenLine, Redo2, Target, TriangleAlert, Undo2, Workflow } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { words as steps } from '../../../words/drips/steps.ts';
import { words } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { ABOUT_CAMPAIGN, ABOUT_GOAL } from '../model/problems.ts';
import { SaveButton } from './save-button.tsx';

const VIEW = 'inline-flex min-h-9 items-center gap-2 rounded-md px-3 py-1.5 text-sm font-medium';

/** Undo and redo, the two views, what is wrong, and saving. */
export function Toolbar({ view }: { view: 'canvas' | 'outline' }) {
  const { drip, history, undo, redo, mayChange, problems, select } = useEditing();
  useUndoKeys(undo, redo, mayChange);
  const [firstWrong] = problems.keys();
  const to = `/marketing/drips/${drip.id}`;
  return (
    <div className="flex flex-wrap items-center gap-2" role="toolbar" aria-label={words.toolbar}>
      <div className="flex rounded-md border border-line-strong bg-surface">
        {(['canvas', 'outline'] as const).map((each) => (
          <Link
            key={each}
            to={to}
            search={each === 'outline' ? { view: each } : {}}
            aria-current={view === each ? 'true' : undefined}
            className={classes(VIEW, view === each ? 'bg-brand-soft text-brand' : 'text-ink')}
          >
            {each === 'canvas' ? <Workflow aria-hidden className="size-4" /> : <List aria-hidden className="size-4" />}
            {words.views[each]}
          </Link>
        ))}
      </div>
      <Button icon={PenLine} onClick={() => select(ABOUT_CAMPAIGN)}>
        {steps.campaign}
      </Button>
      <Button icon={Target} onClick={() => select(ABOUT_GOAL)}>
        {steps.goal}
      </Button>
      {mayChange && (
        <>
          <Button
            icon={Undo2}
            aria-label={words.undo}
            title={words.undo}
            disabled={history.past.length === 0}
            onClick={undo}
          />
          <Button
            icon={Redo2}
            aria-label={words.redo}
            title={words.redo}
            disabled={history.future.length === 0}
            onClick={redo}
          />
          <span className="grow" />
          {firstWrong !== undefined && (
            <Button look="danger" icon={TriangleAlert} onClick={() => select(firstWrong)}>
              {words.problems(problems.size)}
            </Button>
          )}
          <SaveButton />
        </>
      )}
    </div>
  );
}

function useUndoKeys(undo: () => void, redo: () => void, isOn: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null;
      if (!isOn || isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
