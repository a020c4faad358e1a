import { Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/drips/machine.ts';
import { type Journey, momentsOf, occurrencesOf, standsAt } from '../model/journeys.ts';
import { Clock } from './clock.tsx';
import { MachineCanvas } from './machine-canvas.tsx';
import { momentText } from './moment-text.ts';
import { Timeline } from './timeline.tsx';

interface RunProps {
  journeys: readonly Journey[];
  names: readonly string[];
  startAt: number;
  /** Where the server stopped before the end. */
  cutAt: string | null;
  onAgain(): void;
}

/** A run of the time machine: the clock, the canvas with everybody where they are, and what has happened so far. */
export function Run({ journeys, names, startAt, cutAt, onAgain }: RunProps) {
  // A moment before they enter, so that the first thing to happen is that they do.
  const [now, setNow] = useState(startAt - 1);
  const occurrences = useMemo(() => occurrencesOf(journeys, startAt), [journeys, startAt]);
  const moments = useMemo(() => momentsOf(occurrences), [occurrences]);
  const peopleAt = (part: string) =>
    journeys.flatMap((journey) => (standsAt(journey, now) === part ? [names[journey.person] ?? ''] : []));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card
        title={words.clock}
        actions={
          <Button icon={Users} onClick={onAgain}>
            {words.again}
          </Button>
        }
      >
        <Clock now={now} startAt={startAt - 1} moments={moments} onMove={setNow} />
        {cutAt !== null && (
          <div className="mt-3">
            <Notice tone="warn">{words.incomplete(momentText(new Date(cutAt).getTime()))}</Notice>
          </div>
        )}
      </Card>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <MachineCanvas peopleAt={peopleAt} />
        <Timeline now={now} occurrences={occurrences} names={names} journeys={journeys} />
      </div>
    </div>
  );
}
