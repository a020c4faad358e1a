import type { Reply } from '../../api/client.ts';
import { words } from '../../words/person.ts';

type Story = Reply<'readSubscriberStory'>['data'];

export type EventKind = 'consent' | 'mailing' | 'drip' | 'submission';

/** One thing that happened to somebody. */
export interface StoryEvent {
  key: string;
  at: string | null;
  kind: EventKind;
  text: string;
  /** More of it in small letters. */
  detail?: string;
  /** The words that were agreed to. */
  quote?: string;
  link?: { to: string; label: string };
}

/** Everything in a story, the newest first; what has no time yet stands before all. */
export function eventsOf(story: Story): StoryEvent[] {
  const events = [
    ...story.consent.map(consentEvent),
    ...story.mailings.flatMap(mailingEvents),
    ...story.drip_campaigns.flatMap(dripEvents),
    ...story.submissions.map(submissionEvent),
  ];
  return events.toSorted((one, other) => timeOf(other) - timeOf(one));
}

function timeOf({ at }: StoryEvent): number {
  return at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
}

function consentEvent(each: Story['consent'][number], at: number): StoryEvent {
  const { change, source, subscription_list_id: listId, subscription_list_name: list, text } = each;
  const about = listId === null ? (change === 'opted_out' ? words.everything : '') : (list ?? words.goneList);
  return {
    key: `consent-${at}`,
    at: each.at,
    kind: 'consent',
    text: [words.changes[change] ?? change, about].filter((part) => part !== '').join(' '),
    detail: words.sources[source] ?? source,
    ...(text === null ? {} : { quote: text }),
  };
}

function mailingEvents(each: Story['mailings'][number]): StoryEvent[] {
  const { subject, state, settled_at: settledAt } = each;
  const key = `mailing-${each.campaign_mailing_send_id}`;
  const link = { to: `/marketing/mailings/${each.campaign_mailing_id}`, label: words.openMailing };
  const { delivered, other } = words.mailing;
  const sent =
    state === 'delivered'
      ? delivered(subject)
      : other(subject, words.mailingStates[state] ?? state.replaceAll('_', ' '));
  const later = [
    { name: 'opened', at: each.opened_at, text: words.mailing.opened(subject) },
    { name: 'clicked', at: each.clicked_at, text: words.mailing.clicked(subject) },
    { name: 'left', at: each.unsubscribed_at, text: words.mailing.unsubscribed(subject) },
  ].filter(({ at }) => at !== null);
  return [
    { key, at: settledAt, kind: 'mailing', text: sent, link },
    ...later.map(({ name, at, text }) => ({ key: `${key}-${name}`, at, kind: 'mailing' as const, text, link })),
  ];
}

function dripEvents(each: Story['drip_campaigns'][number], at: number): StoryEvent[] {
  const { id, name, state, entered_at: enteredAt, ended_at: endedAt } = each;
  const link = { to: `/marketing/drips/${id}`, label: words.openDrip };
  const entered: StoryEvent = { key: `drip-${at}`, at: enteredAt, kind: 'drip', text: words.drip.entered(name), link };
  if (endedAt === null) return [entered];
  const text = words.drip.ended(name, words.dripStates[state] ?? state);
  return [{ key: `drip-${at}-end`, at: endedAt, kind: 'drip', text, link }, entered];
}

function submissionEvent({
  form_id: form,
  submission_id: id,
  submitted_at: at,
}: Story['submissions'][number]): StoryEvent {
  const link = { to: `/forms/${form}/submissions/${id}`, label: words.openSubmission };
  return { key: `submission-${id}`, at, kind: 'submission', text: words.submission, link };
}
