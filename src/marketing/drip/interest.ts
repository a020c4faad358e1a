import type { Happening } from './graph/graph.ts';

/** What a drip wants to be told of: a kind of thing that happens, and what it is about. */
export interface Interest {
  kind: string;
  subject: string;
}

/** The subject of an interest in whatever it is about. */
const ANY = '';

/** How the database calls a happening. */
export function interestIn(happening: Happening): Interest {
  const { event: kind } = happening;
  if ('campaign_mailing_id' in happening) return { kind, subject: happening.campaign_mailing_id };
  if ('subscription_list_id' in happening) return { kind, subject: happening.subscription_list_id };
  return { kind, subject: happening.event === 'form_submitted' ? (happening.form_id ?? ANY) : happening.name };
}

/** Whether something that happened is what is waited for. */
export function isMeant(happening: Happening, happened: Interest): boolean {
  const { kind, subject } = interestIn(happening);
  return kind === happened.kind && (subject === ANY || subject === happened.subject);
}
