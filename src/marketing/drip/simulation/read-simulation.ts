import { type Static, Type } from 'typebox';
import { momentOf } from '../../../platform/calendar-time.ts';
import { invalidField } from '../../../platform/errors.ts';
import { readVersionNumber } from '../../read-page.ts';
import { type NewSubscriber, readSubscriber, SubscriberFields } from '../../subscribers/read-subscriber.ts';
import type { Graph, Happening, Span } from '../graph/graph.ts';
import { readGraph } from '../graph/read-graph.ts';
import { readHappening } from '../graph/read-happening.ts';
import { readSpan } from '../graph/read-span.ts';
import { readFields } from '../graph/read-values.ts';

const MOST_PEOPLE = 50;
const MOST_EVENTS = 200;
const YEAR_MS = 366 * 24 * 3600_000;
const EARLIEST = new Date('1970-01-01T00:00:00Z');
const LATEST = new Date('2100-01-01T00:00:00Z');

const Maybe = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** What a run of the time machine takes. */
export const SimulationBody = Type.Object({
  version: Maybe(Type.Integer({ description: 'The newest by default' })),
  steps: Type.Optional(Type.Unknown({ description: 'Steps that are not saved, in place of those of a version' })),
  people: Maybe(
    Type.Array(
      Type.Object(
        { subscriber_id: Maybe(Type.String()), ...SubscriberFields.properties },
        {
          description: 'Somebody who is known, by subscriber_id, or somebody made up',
        },
      ),
    ),
  ),
  sample: Maybe(Type.Integer({ description: 'That many people of the list' })),
  start_at: Maybe(Type.String({ description: 'When they enter; now by default' })),
  until: Maybe(Type.String({ description: 'Up to when it runs; a year by default' })),
  events: Maybe(
    Type.Array(Type.Unknown(), {
      description: '[{person?: place in people, after: {days: 2}, event: "opened", campaign_mailing_id: "17"}]',
    }),
  ),
  opens: Maybe(Type.Boolean({ description: 'Whether everybody opens each mail, an hour after they get it' })),
  clicks: Maybe(Type.Boolean({ description: 'Whether they also follow a link' })),
});

/** Somebody to be led through a drip: one who is known, one who is made up, or nobody in particular. */
export type Chosen = { subscriberId: string } | { madeUp: NewSubscriber };

/** Something that is assumed to happen; to everybody where nobody is named. */
export interface Assumed {
  person: number | null;
  after: Span;
  happening: Happening;
}

export interface Simulation {
  version: number | null;
  graph: Graph | null;
  people: Chosen[];
  sample: number;
  startAt: Date;
  until: Date;
  events: Assumed[];
  opens: boolean;
  clicks: boolean;
}

/** Reads what is to be tried, or throws naming the field that is wrong. */
export function readSimulation(body: Static<typeof SimulationBody>, now: Date): Simulation {
  const people = body.people ?? [];
  const sample = body.sample ?? 0;
  if (people.length + sample === 0) throw invalidField('people', 'is required, or sample');
  if (people.length > MOST_PEOPLE) throw invalidField('people', `takes at most ${MOST_PEOPLE}`);
  if (sample < 0 || sample > MOST_PEOPLE) throw invalidField('sample', `takes 0 to ${MOST_PEOPLE}`);
  const events = body.events ?? [];
  if (events.length > MOST_EVENTS) throw invalidField('events', `takes at most ${MOST_EVENTS}`);
  const startAt = readMoment('start_at', body.start_at) ?? now;
  const until = readMoment('until', body.until) ?? new Date(startAt.getTime() + YEAR_MS);
  if (until <= startAt) throw invalidField('until', 'must be later than start_at');
  return {
    version: typeof body.version === 'number' ? readVersionNumber('version', body.version) : null,
    graph: readGraph({ steps: body.steps }) ?? null,
    people: people.map(readPerson),
    sample,
    startAt,
    until,
    events: events.map((event, index) => readEvent(`events[${index}]`, event, people.length + sample)),
    opens: (body.opens ?? false) || (body.clicks ?? false),
    clicks: body.clicks ?? false,
  };
}

function readPerson({ subscriber_id: id, ...fields }: Person, index: number): Chosen {
  if (id !== undefined && id !== null) return { subscriberId: id };
  const hasAddress = (fields.email ?? fields.phone_number ?? '') !== '';
  const reachable = hasAddress ? fields : { ...fields, email: `sample-${index}@example.invalid` };
  return { madeUp: readSubscriber(reachable, `people[${index}]`) };
}

type Person = NonNullable<Static<typeof SimulationBody>['people']>[number];

function readEvent(place: string, wire: unknown, people: number): Assumed {
  const { person, after, ...happening } = readFields(place, wire);
  const isPlace = typeof person === 'number' && Number.isInteger(person) && person >= 0 && person < people;
  if (person !== undefined && person !== null && !isPlace) {
    throw invalidField(`${place}.person`, 'takes the place of somebody in people, from 0');
  }
  const span = readSpan(`${place}.after`, readFields(`${place}.after`, after));
  return { person: isPlace ? person : null, after: span, happening: readHappening(place, happening) };
}

function readMoment(field: string, text: string | null | undefined): Date | null {
  if (text === undefined || text === null) return null;
  const at = momentOf(text);
  if (at === null) throw invalidField(field, 'takes a time such as 2026-11-16T09:00:00Z');
  if (at < EARLIEST || at > LATEST) throw invalidField(field, 'takes a time from 1970 to 2100');
  return at;
}
