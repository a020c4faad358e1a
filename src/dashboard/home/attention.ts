import { sql } from 'kysely';
import { countOverdue, listAgreements } from '../../accounts/index.ts';
import { countNewSubmissions } from '../../forms/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { BounceShares } from './seven-days.ts';

const DAY_MS = 24 * 3600_000;
const SOON_DAYS = 30;
/** Keys that sign mail are to be changed once a year. */
const KEYS_DAYS = 365;
/** Fewer mails than this say nothing about a share. */
const FEWEST_MAILS = 20;
/** A rise of less than two in a hundred is noise. */
const LEAST_RISE = 0.02;
/** More of them are told once these are decided. */
const MOST_SENDS = 10;
/** What drips could not deal with is told for so long; nobody can do anything about it later. */
const ASIDE_DAYS = 7;

export const ATTENTION_KINDS = [
  'agreement_missing',
  'agreement_ending',
  'webhook_failing',
  'webhook_disabled',
  'domain_pending',
  'domain_failing',
  'domain_keys_old',
  'bounces_rising',
  'sends_waiting',
  'drip_failing',
  'submissions_new',
  'reviews_overdue',
] as const;

/** Something that somebody should look at. */
export interface Attention {
  kind: (typeof ATTENTION_KINDS)[number];
  severity: 'error' | 'warning' | 'info';
  /** What it is about, by a name or number of its own; '' where it is about the whole account. */
  subject: string;
  /** How many it is about, or per cent of bounces. */
  count: number | null;
  /** The path in the dashboard where something can be done. */
  where: string;
}

interface Context {
  tx: Tx;
  clock: Clock;
  customerId: number;
  /** Whether mail leaves by nothing but the sandbox, where domains need not be verified. */
  sandbox: boolean;
  bounces: BounceShares;
}

/** All that needs attention, the most urgent first. */
export async function readAttention(context: Context): Promise<Attention[]> {
  const found = [
    ...(await aboutAgreement(context)),
    ...(await aboutWebhooks(context)),
    ...(await aboutDomains(context)),
    ...aboutBounces(context),
    ...(await aboutMarketing(context)),
    ...(await aboutSubmissions(context)),
    ...(await aboutReviews(context)),
  ];
  const urgency = { error: 0, warning: 1, info: 2 };
  return found.toSorted((one, other) => urgency[one.severity] - urgency[other.severity]);
}

async function aboutAgreement({ tx, clock, customerId }: Context): Promise<Attention[]> {
  const about = { subject: '', where: '/settings/agreement' };
  const inForce = (await listAgreements(tx, clock, customerId)).filter((agreement) => agreement.inForce);
  if (inForce.length === 0) return [{ kind: 'agreement_missing', severity: 'error', count: null, ...about }];
  const ends = inForce.map(({ endsOn }) => (endsOn === null ? Number.POSITIVE_INFINITY : Date.parse(endsOn)));
  const days = Math.ceil((Math.max(...ends) - clock.now().getTime()) / DAY_MS);
  if (days > SOON_DAYS) return [];
  return [{ kind: 'agreement_ending', severity: 'warning', count: Math.max(days, 0), ...about }];
}

async function aboutWebhooks({ tx, customerId }: Context): Promise<Attention[]> {
  const rows = await tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'public_id', 'active'])
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('failing_since', 'is not', null), eb('active', '=', false)]))
    .orderBy('id')
    .execute();
  return rows.map(({ id, public_id: publicId, active }) => ({
    kind: active ? ('webhook_failing' as const) : ('webhook_disabled' as const),
    severity: active ? ('error' as const) : ('warning' as const),
    subject: String(id),
    count: null,
    where: `/email/webhooks/${publicId}`,
  }));
}

async function aboutDomains({ tx, clock, customerId, sandbox }: Context): Promise<Attention[]> {
  const rows = await tx
    .selectFrom('sending_domains')
    .select(['id', 'domain', 'state'])
    .where('customer_id', '=', customerId)
    .orderBy('domain')
    .execute();
  const old = await tx
    .selectFrom('dkim_keys')
    .select('domain')
    .where('customer_id', '=', customerId)
    .where('retired_at', 'is', null)
    .groupBy('domain')
    .having((eb) => eb.fn.max('created_at'), '<', new Date(clock.now().getTime() - KEYS_DAYS * DAY_MS))
    .execute();
  const aged = new Set(old.map(({ domain }) => domain));
  const severity = sandbox ? 'info' : 'error';
  return rows.flatMap(({ id, domain, state }): Attention[] => {
    const about = { subject: domain, count: null, where: `/email/domains/${id}` };
    if (state === 'failing') return [{ kind: 'domain_failing', severity, ...about }];
    if (state === 'pending') return [{ kind: 'domain_pending', severity: sandbox ? 'info' : 'warning', ...about }];
    return aged.has(domain) ? [{ kind: 'domain_keys_old', severity: 'info', ...about }] : [];
  });
}

function aboutBounces({ bounces: { now, before } }: Context): Attention[] {
  if (now.settled < FEWEST_MAILS) return [];
  const share = now.bounced / now.settled;
  const earlier = before.settled < FEWEST_MAILS ? 0 : before.bounced / before.settled;
  if (share - earlier < LEAST_RISE) return [];
  const count = Math.round(share * 100);
  return [{ kind: 'bounces_rising', severity: 'warning', subject: '', count, where: '/email/messages' }];
}

async function aboutMarketing({ tx, clock, customerId }: Context): Promise<Attention[]> {
  const { rows: waiting } = await sql<{ id: string; subject: string }>`
    select s.id, m.subject from campaign_mailing_sends s
    join campaign_mailings m on m.customer_id = s.customer_id and m.id = s.mailing_id
    where s.customer_id = ${customerId} and s.state = 'needs_decision' order by s.id limit ${MOST_SENDS}`.execute(tx);
  const since = new Date(clock.now().getTime() - ASIDE_DAYS * DAY_MS);
  const aside = await sql<{ n: number }>`
    select count(*)::int as n from drip_facts
    where customer_id = ${customerId} and set_aside and at > ${since}`.execute(tx);
  const facts = aside.rows[0]?.n ?? 0;
  const found = waiting.map(
    ({ id, subject }): Attention => ({
      kind: 'sends_waiting',
      severity: 'warning',
      subject,
      count: null,
      where: `/marketing/mailings/sends/${id}`,
    }),
  );
  if (facts === 0) return found;
  return [
    ...found,
    { kind: 'drip_failing', severity: 'warning', subject: '', count: facts, where: '/marketing/drips' },
  ];
}

async function aboutSubmissions({ tx, customerId }: Context): Promise<Attention[]> {
  const count = await countNewSubmissions(tx, customerId);
  return count === 0 ? [] : [{ kind: 'submissions_new', severity: 'info', subject: '', count, where: '/forms/all' }];
}

async function aboutReviews({ tx, clock, customerId }: Context): Promise<Attention[]> {
  const count = await countOverdue(tx, customerId, clock.now());
  return count === 0
    ? []
    : [{ kind: 'reviews_overdue', severity: 'error', subject: '', count, where: '/settings/reviews' }];
}
