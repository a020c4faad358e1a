import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/builder.ts';
import { useBuilder } from './builder-context.ts';
import { useActions } from './canvas/actions.ts';
import { Canvas } from './canvas/canvas.tsx';
import { Palette } from './canvas/palette.tsx';
import { ProblemsList } from './problems-list.tsx';
import { Properties } from './properties/properties.tsx';

/** The palette, the form and the properties of what is selected: side by side, or one over the other on a phone. */
export function BuildView() {
  const { isWide } = useBuilder();
  return isWide ? <SideBySide /> : <OneByOne />;
}

const COLUMN = 'sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-lg border bg-surface p-4';

function SideBySide() {
  const { mayEdit } = useBuilder();
  const { add } = useActions();
  return (
    <div className="grid grid-cols-[13rem_minmax(0,1fr)_20rem] items-start gap-4">
      <aside aria-label={words.palette} className={COLUMN}>
        <h2 className="font-semibold">{words.palette}</h2>
        <p className="mb-3 text-sm text-soft">{words.paletteLead}</p>
        {mayEdit && <Palette onAdd={add} />}
      </aside>
      <div className="flex min-w-0 flex-col gap-4">
        <Canvas />
        <Problems />
      </div>
      <aside aria-label={words.properties} className={COLUMN}>
        <h2 className="mb-3 font-semibold">{words.properties}</h2>
        <Properties />
        <Keys />
      </aside>
    </div>
  );
}

function OneByOne() {
  const { mayEdit, selected, select } = useBuilder();
  const { add } = useActions();
  const [isAdding, setAdding] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {mayEdit && (
        <div>
          <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
            {words.palette}
          </Button>
        </div>
      )}
      <Canvas />
      <Problems />
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={words.palette} side>
        <Palette
          onAdd={(kind) => {
            setAdding(false);
            add(kind);
          }}
        />
      </Dialog>
      <Dialog open={selected !== null && !isAdding} onClose={() => select(null)} title={words.properties} side live>
        <Properties />
      </Dialog>
    </div>
  );
}

function Problems() {
  const { problems } = useBuilder();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <Card
      title={words.problems}
      actions={
        <>
          {errors > 0 && <Badge tone="bad">{words.errors(errors)}</Badge>}
          {problems.length > errors && <Badge tone="warn">{words.warnings(problems.length - errors)}</Badge>}
        </>
      }
    >
      {problems.length === 0 ? (
        <p className="text-sm text-soft">{words.noProblems}</p>
      ) : (
        <ProblemsList findings={problems} />
      )}
    </Card>
  );
}

function Keys() {
  return (
    <details className="mt-4 border-t pt-3 text-sm">
      <summary className="cursor-pointer py-1 font-medium">{words.keys}</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {words.keyList.map(([key, does]) => (
          <div key={key} className="contents">
            <dt className="font-mono text-xs leading-5">{key}</dt>
            <dd className="text-soft">{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
