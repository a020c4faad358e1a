import { Link } from '@tanstack/react-router';
import { FileText, HandHelping, type LucideIcon, Mail, Route } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/person.ts';
import { words as shared } from '../../words/shared.ts';
import { type EventKind, eventsOf, type StoryEvent } from './story-events.ts';

const ICONS: Record<EventKind, LucideIcon> = { consent: HandHelping, mailing: Mail, drip: Route, submission: FileText };
const STEP = 50;

type Kind = keyof typeof words.kinds;

/** Everything that happened to somebody, as one line of time. */
export function StoryCard({ id }: { id: string }) {
  const [kind, setKind] = useState<Kind>('all');
  const [shown, setShown] = useState(STEP);
  const read = useRead('readSubscriberStory', { params: { id } });
  const choose = (
    <Field label={words.filter} hideLabel>
      <Select value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
        {Object.entries(words.kinds).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <Card title={words.storyTitle} lead={words.storyLead} actions={choose}>
      <Loaded read={read}>
        {({ data }) => {
          const events = eventsOf(data).filter((event) => kind === 'all' || event.kind === kind);
          if (events.length === 0) {
            return <p className="text-sm text-soft">{kind === 'all' ? words.storyEmpty : words.nothingOfKind}</p>;
          }
          return (
            <>
              <ol className="flex flex-col">
                {events.slice(0, shown).map((event) => (
                  <Happening key={event.key} event={event} />
                ))}
              </ol>
              {events.length > shown && <Button onClick={() => setShown(shown + STEP)}>{shared.more}</Button>}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Happening({ event: { at, kind, text, detail, quote, link } }: { event: StoryEvent }) {
  const Icon = ICONS[kind];
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0">
      <span aria-hidden className="absolute top-8 bottom-0 left-4 w-px bg-line group-last:hidden" />
      <span className="z-1 flex size-8 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 grow text-sm">
        <p className="font-medium break-words">{text}</p>
        <p className="text-soft">
          {at !== null && <When at={at} />}
          {detail !== undefined && ` · ${detail}`}
        </p>
        {quote !== undefined && (
          <blockquote className="mt-1 border-l-2 border-line-strong pl-2 text-soft">
            {words.agreedTo} {quote}
          </blockquote>
        )}
        {link !== undefined && (
          <Link to={link.to} className="inline-block min-h-6 text-brand underline-offset-2 hover:underline">
            {link.label}
          </Link>
        )}
      </div>
    </li>
  );
}
