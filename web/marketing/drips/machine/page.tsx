import { useEffect, useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { toLocalInput } from '../../../ui/local-time.ts';
import { Card } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/drips/machine.ts';
import { useEditing } from '../editing.ts';
import type { Journey } from '../model/journeys.ts';
import { MachineCanvas } from './machine-canvas.tsx';
import { Run } from './run.tsx';
import { Setup } from './setup.tsx';
import { namesIn, type Wish, writeWish } from './wish.ts';

interface Done {
  wish: Wish;
  journeys: readonly Journey[];
  cutAt: string | null;
}

/** The time machine: people are led through the steps on a clock that is moved by hand. */
export function TimeMachinePage() {
  const { drip, draft, isDirty, problems } = useEditing();
  const [wish, setWish] = useState<Wish>(() => firstWish(draft.time_zone));
  const [done, setDone] = useState<Done | null>(null);
  const simulate = useWrite('simulateDripCampaign');
  // What was tried with other steps says nothing about these.
  useEffect(() => setDone(null), [draft.steps]);
  const run = () =>
    simulate.mutate(
      { params: { id: drip.id }, body: writeWish(wish, draft) },
      {
        onSuccess: ({ data }) => setDone({ wish, journeys: data.people, cutAt: data.complete ? null : data.ran_until }),
      },
    );
  const hindrance = hindranceOf(draft.steps.length, problems.size, namesIn(wish, words.sampled).length);
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-soft">{words.lead}</p>
      {isDirty && <Notice tone="info">{words.unsaved}</Notice>}
      {done === null ? (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[24rem_minmax(0,1fr)]">
          <Card title={words.people}>
            <Setup wish={wish} onChange={setWish} />
            <div className="mt-4 flex flex-col gap-3">
              {hindrance !== null && <Notice tone="warn">{hindrance}</Notice>}
              {simulate.error !== null && <Problem error={simulate.error} />}
              <Button look="primary" busy={simulate.isPending} disabled={hindrance !== null} onClick={run}>
                {words.run}
              </Button>
            </div>
          </Card>
          <MachineCanvas peopleAt={() => []} />
        </div>
      ) : (
        <Run
          journeys={done.journeys}
          names={namesIn(done.wish, words.sampled)}
          startAt={new Date(done.wish.startAt).getTime()}
          cutAt={done.cutAt}
          onAgain={() => setDone(null)}
        />
      )}
    </div>
  );
}

function hindranceOf(steps: number, problems: number, people: number): string | null {
  if (steps === 0) return words.noSteps;
  if (problems > 0) return words.hasProblems;
  return people === 0 ? words.nobody : null;
}

function firstWish(zone: string): Wish {
  const [ada, ben] = words.inventedNames;
  return {
    invented: [
      { name: ada, zone, fields: [] },
      { name: ben, zone: 'Asia/Tokyo', fields: [] },
    ],
    chosen: [],
    sample: 0,
    reading: 'nothing',
    startAt: toLocalInput(new Date()),
    events: [],
  };
}
