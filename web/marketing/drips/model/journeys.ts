import type { Reply } from '../../../api/client.ts';
import { END, ENTRY } from './links.ts';

/** Somebody's way through a drip on trial. */
export type Journey = Reply<'simulateDripCampaign'>['data']['people'][number];

/** Something that happens to somebody on trial. */
export interface Occurrence {
  at: number;
  person: number;
  what: 'mail' | 'step' | 'end' | 'stays-out';
  step: string | null;
  subject: string | null;
  reason: string | null;
  outcome: string | null;
}

/** Everything that happens to everybody, in order. */
export function occurrencesOf(journeys: readonly Journey[], startAt: number): Occurrence[] {
  return journeys.flatMap((journey) => occurrencesIn(journey, startAt)).toSorted((one, other) => one.at - other.at);
}

/** Where somebody stands at a moment: at a step, at the entry, at the end, or nowhere any more. */
export function standsAt(journey: Journey, moment: number): string | null {
  if (!journey.enters) return null;
  if (journey.ended_at !== null && time(journey.ended_at) <= moment) return journey.state === 'completed' ? END : null;
  return journey.path.findLast(({ at }) => time(at) <= moment)?.step ?? ENTRY;
}

/** The moments at which anything happens. */
export function momentsOf(occurrences: readonly Occurrence[]): number[] {
  return [...new Set(occurrences.map(({ at }) => at))];
}

function occurrencesIn(journey: Journey, startAt: number): Occurrence[] {
  const { person } = journey;
  const nothing = { step: null, subject: null, reason: null, outcome: null };
  if (!journey.enters) return [{ ...nothing, at: startAt, person, what: 'stays-out' }];
  const mails = new Map(journey.mails.map((mail) => [`${mail.step}/${mail.at}`, mail.subject]));
  const stops = journey.path.map(({ step, at, outcome }): Occurrence => {
    const isMail = mails.has(`${step}/${at}`);
    const subject = mails.get(`${step}/${at}`) ?? null;
    return { ...nothing, at: time(at), person, what: isMail ? 'mail' : 'step', step, subject, outcome };
  });
  if (journey.ended_at === null) return stops;
  const reason = journey.state === 'completed' ? null : journey.reason;
  return [...stops, { ...nothing, at: time(journey.ended_at), person, what: 'end', step: journey.step, reason }];
}

function time(at: string): number {
  return new Date(at).getTime();
}
