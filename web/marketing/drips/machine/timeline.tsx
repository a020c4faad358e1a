import { DoorClosed, Flag, LogOut, Mail, Milestone } from 'lucide-react';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/drips/machine.ts';
import { words as drips } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { outcomeInWords } from '../model/in-words.ts';
import { type Journey, type Occurrence, standsAt } from '../model/journeys.ts';
import { END, ENTRY } from '../model/links.ts';
import { findStanding } from '../model/tree.ts';
import { momentText } from './moment-text.ts';

interface TimelineProps {
  now: number;
  occurrences: readonly Occurrence[];
  journeys: readonly Journey[];
  names: readonly string[];
}

/** What has happened up to now, the latest first, and where everybody is, in words. */
export function Timeline({ now, occurrences, journeys, names }: TimelineProps) {
  const { draft, names: named } = useEditing();
  const past = occurrences.filter(({ at }) => at <= now).toReversed();
  const stepName = (id: string | null) => (id === null ? '' : (named.step(id) ?? id));
  const outcomeOf = ({ step, outcome }: Occurrence) => {
    const type = step === null ? undefined : findStanding(draft.steps, step)?.step.type;
    const said = outcomeInWords(type ?? null, outcome);
    return said === null ? '' : ` · ${said}`;
  };
  const where = (journey: Journey) => {
    const part = standsAt(journey, now);
    if (part === null) return words.gone;
    return part === ENTRY ? words.atEntry : part === END ? words.atEnd : stepName(part);
  };
  return (
    <div className="flex flex-col gap-4">
      <Card title={words.timeline}>
        {past.length === 0 && <p className="text-sm text-soft">{words.timelineEmpty}</p>}
        <ol
          aria-label={words.timeline}
          className="flex max-h-96 flex-col gap-3 overflow-y-auto"
          tabIndex={past.length > 5 ? 0 : undefined}
        >
          {past.map((occurrence, at) => (
            <li key={past.length - at} className="flex gap-3 text-sm">
              <Icon what={occurrence} />
              <div className="min-w-0">
                <p className={occurrence.what === 'mail' ? 'font-medium' : undefined}>
                  {inWords(occurrence, names[occurrence.person] ?? '', stepName(occurrence.step))}
                </p>
                <p className="text-soft">
                  {momentText(occurrence.at)}
                  {outcomeOf(occurrence)}
                </p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
      <Card title={words.whereEach}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
          {journeys.map((journey) => (
            <div key={journey.person} className="contents">
              <dt className="font-medium">{names[journey.person]}</dt>
              <dd className="text-soft">{where(journey)}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}

function Icon({ what: { what, reason } }: { what: Occurrence }) {
  const look = 'mt-0.5 size-4 shrink-0 text-brand';
  if (what === 'mail') return <Mail aria-hidden className={look} />;
  if (what === 'step') return <Milestone aria-hidden className={look} />;
  if (what === 'stays-out') return <DoorClosed aria-hidden className={look} />;
  return reason === null ? <Flag aria-hidden className={look} /> : <LogOut aria-hidden className={look} />;
}

function inWords({ what, subject, reason }: Occurrence, person: string, step: string): string {
  switch (what) {
    case 'mail':
      return words.gets(person, subject ?? words.noSubject);
    case 'step':
      return words.comesTo(person, step);
    case 'stays-out':
      return words.staysOut(person);
    case 'end':
      break;
  }
  if (reason === null) return words.ends(person);
  return words.leaves(person, drips.reasons[reason as keyof typeof drips.reasons] ?? reason);
}
