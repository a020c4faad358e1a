import { useSearch } from '@tanstack/react-router';
import { words } from '../../../words/drips.ts';
import { Canvas } from '../canvas/canvas.tsx';
import { useCounts } from '../counts.tsx';
import { useEditing } from '../editing.ts';
import { entryInWords } from '../model/in-words.ts';
import { moveStep } from '../model/tree.ts';
import { Outline } from '../outline/outline.tsx';
import { Inspector } from './inspector.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { Toolbar } from './toolbar.tsx';
import { Totals } from './totals.tsx';

/** The steps of a drip, on the canvas or as a list, with what the chosen one takes beside it. */
export function StepsPage() {
  const { view } = useSearch({ strict: false }) as { view?: 'outline' };
  const { drip, draft, names, problems, selected, select, change, add, mayChange } = useEditing();
  const { foot, statistics } = useCounts(drip.id, drip.attributes.state);
  return (
    <div className="flex flex-col gap-4">
      <Toolbar view={view ?? 'canvas'} />
      {drip.attributes.outdated_steps.length > 0 && mayChange && <OutdatedNotice />}
      {statistics !== undefined && <Totals statistics={statistics} />}
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        {view === 'outline' ? (
          <Outline foot={foot} />
        ) : (
          <Canvas
            label={words.canvas}
            steps={draft.steps}
            names={names}
            entry={entryInWords(draft, names)}
            problems={problems}
            selected={selected}
            onSelect={select}
            foot={foot}
            editing={
              mayChange
                ? { onAdd: add, onMove: (id, place) => change({ ...draft, steps: moveStep(draft.steps, id, place) }) }
                : null
            }
          />
        )}
        <Inspector />
      </div>
    </div>
  );
}
