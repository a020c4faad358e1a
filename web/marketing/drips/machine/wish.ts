import type { Body } from '../../../api/client.ts';
import type { Draft } from '../model/draft.ts';
import type { Happening, Span } from '../model/step.ts';
import { writeSteps } from '../model/wire-steps.ts';

/** Somebody who is made up. */
export interface Invented {
  name: string;
  zone: string;
  fields: readonly { name: string; value: string }[];
}

/** Somebody of the list. */
export interface Chosen {
  id: string;
  name: string;
}

/** Something that is assumed to happen; to everybody where `person` is null. */
export interface Assumed {
  person: number | null;
  after: Span;
  happening: Happening;
}

/** What a run of the time machine is to try. */
export interface Wish {
  invented: readonly Invented[];
  chosen: readonly Chosen[];
  sample: number;
  reading: 'nothing' | 'opens' | 'clicks';
  /** As the browser writes a local time. */
  startAt: string;
  events: readonly Assumed[];
}

/** What everybody is called, in the order in which the server answers them. */
export function namesIn({ invented, chosen, sample }: Wish, sampled: (number: number) => string): string[] {
  return [
    ...invented.map(({ name }) => name),
    ...chosen.map(({ name }) => name),
    ...Array.from({ length: sample }, (_none, at) => sampled(at + 1)),
  ];
}

/** The wish as the server takes it, with the steps as they stand in the editor. */
export function writeWish(wish: Wish, draft: Draft): Body<'simulateDripCampaign'> {
  return {
    steps: writeSteps(draft.steps),
    people: [
      ...wish.invented.map(({ name, zone, fields }) => ({
        first_name: name,
        time_zone: zone,
        custom_fields: fields
          .filter((field) => field.name !== '')
          .map((field) => ({ name: field.name, value: field.value })),
      })),
      ...wish.chosen.map(({ id }) => ({ subscriber_id: id })),
    ],
    sample: wish.sample,
    start_at: new Date(wish.startAt).toISOString(),
    opens: wish.reading !== 'nothing',
    clicks: wish.reading === 'clicks',
    events: wish.events.map(({ person, after, happening }) => ({ person, after, ...happening })),
  };
}
