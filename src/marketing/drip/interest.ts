import type { Happening } from './graph/graph.ts';

/** What a drip wants to be told of: a kind of thing that happens, and what it is about. */
export interface Interest {
  kind: string;
  subject: string;
}

/** How the database calls a happening. */
export function interestIn(happening: Happening): Interest {
  const { event: kind } = happening;
  if ('campaign_mailing_id' in happening) return { kind, subject: happening.campaign_mailing_id };
  if ('subscription_list_id' in happening) return { kind, subject: happening.subscription_list_id };
  return { kind, subject: 'form_id' in happening ? happening.form_id : happening.name };
}
