import type { Reply } from '../api/client.ts';

type Home = Reply<'readHome'>;
type Kind = Home['attention'][number]['kind'];
type Step = Exclude<keyof Home['checklist'], 'dismissed'>;

const many = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${more}`;

const attention: Record<Kind, { title(subject: string, count: number): string; what: string; act: string }> = {
  agreement_missing: {
    title: () => 'No business associate agreement is in force',
    what: 'Until an owner signs it, no health data is accepted: forms take nothing and no mail is sent.',
    act: 'Read and sign it',
  },
  agreement_ending: {
    title: (_subject, count) =>
      count === 0 ? 'The agreement ends today' : `The agreement ends in ${many(count, 'day', 'days')}`,
    what: 'Sign a new one before then, so that forms and mail go on without a break.',
    act: 'Look at the agreement',
  },
  webhook_failing: {
    title: (subject) => `Webhook ${subject} does not answer`,
    what: 'Its events wait and are tried again. See what the other side replied.',
    act: 'Look at the webhook',
  },
  webhook_disabled: {
    title: (subject) => `Webhook ${subject} is switched off`,
    what: 'It gets no events until it is switched on again.',
    act: 'Look at the webhook',
  },
  domain_pending: {
    title: (subject) => `${subject} is not verified yet`,
    what: 'Publish its DNS records and check them; mail from this domain waits for that outside of the sandbox.',
    act: 'See the records',
  },
  domain_failing: {
    title: (subject) => `The DNS records of ${subject} are gone`,
    what: 'They were there before. Mail from this domain is not accepted until they are back.',
    act: 'See the records',
  },
  domain_keys_old: {
    title: (subject) => `The keys of ${subject} are over a year old`,
    what: 'Keys that sign mail should be changed about once a year.',
    act: 'Change the keys',
  },
  bounces_rising: {
    title: (_subject, count) => `${count} % of the mail of these seven days came back`,
    what: 'That is more than in the seven days before. Often a list is old, or an address was mistyped.',
    act: 'Look at the messages',
  },
  sends_waiting: {
    title: (subject) => `The sending of “${subject}” waits for a decision`,
    what: 'Some mails may or may not have left when a server stopped. Somebody has to say what to do.',
    act: 'Decide',
  },
  drip_failing: {
    title: (_subject, count) => `Drips could not deal with ${many(count, 'event', 'events')}`,
    what: 'They were set aside and hold up nothing else. The operator finds the reason in the log.',
    act: 'Look at the drips',
  },
  submissions_new: {
    title: (_subject, count) => many(count, 'new submission', 'new submissions'),
    what: 'Nobody has taken them up yet.',
    act: 'Open the forms',
  },
  reviews_overdue: {
    title: (_subject, count) => `${many(count, 'activity review is', 'activity reviews are')} overdue`,
    what: 'Somebody has to look at what was done in the period and sign.',
    act: 'Open the reviews',
  },
};

const steps: Record<Step, { title: string; what: string }> = {
  agreement: { title: 'Sign the agreement', what: 'Health data is accepted from then on.' },
  factor: { title: 'Set up a second factor', what: 'An app on your phone, or a passkey.' },
  key: { title: 'Make an API key', what: 'For programs that call Carepost.' },
  domain: { title: 'Verify a domain', what: 'So that mail can be from you.' },
  first_message: { title: 'Send a first message', what: 'In the sandbox it reaches nobody else.' },
  first_form: { title: 'Publish a form', what: 'From a template or from nothing.' },
  first_submission: { title: 'Fill it in', what: 'As a patient would, on a phone.' },
  first_subscriber: { title: 'Add a subscriber', what: 'One by one, or by an import.' },
  first_drip: { title: 'Start a drip', what: 'Mails that follow each other by themselves.' },
};

export const words = {
  title: 'Home',
  lead: (customer: string) => `How ${customer} is doing.`,
  attention,
  attentionTitle: 'Needs attention',
  allWell: 'Nothing needs attention',
  allWellLead: 'Webhooks answer, domains are in order and nothing waits for a decision.',
  severity: { error: 'Urgent', warning: 'Soon', info: 'To know' },
  daysTitle: 'The last seven days',
  daysLead: 'Days are counted in UTC; today is the last one.',
  mail: 'Mail',
  delivered: 'Delivered',
  bounced: 'Came back',
  underWay: 'Under way',
  submissions: 'Submissions',
  subscribers: 'New subscribers',
  dripMails: 'Mails of drips',
  steps,
  checklistTitle: 'Your first day',
  checklistLead: 'From an empty account to a sent message, a filled-in form and a running drip.',
  checklistProgress: 'Steps done',
  stepDone: 'done',
  stepOpen: 'to do',
  dismiss: 'Hide these steps',
  dismissed: 'The steps of the first day are hidden for everybody.',
} as const;
