import { sql } from 'kysely';
import { STOPS_MAILINGS, suppressedAmong } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';
import type { Drip } from '../campaigns/drip.ts';
import { leavingFor } from '../engine/leaving.ts';
import type { Node } from '../graph/graph.ts';
import { type Enrolment, goesOnAt, readEnrolments } from './enrolment.ts';
import { type LeftOutMail, leftOutMails } from './left-out-mails.ts';
import { refusalsOf } from './may-enter.ts';
import { readSteps } from './steps.ts';
import { summaryOf } from './summary.ts';
import { type NotIn, whatComes } from './words.ts';

const MOST = 100;

/** Why somebody is in a drip or not, and where. */
export interface Explanation {
  in: boolean;
  summary: string;
  enrolments: (Enrolment & { next: { at: Date | null; what: string } | null })[];
  wouldEnter: { now: boolean; reasons: NotIn[] };
  leftOutMails: LeftOutMail[];
}

/** Tells why somebody is in a drip or not: what they went through, the latest first, and whether they would enter now. */
export async function explainDrip(tx: Tx, keys: CustomerVault, drip: Drip, person: Subscriber): Promise<Explanation> {
  const found = await readEnrolments(tx, drip, sql`e.subscriber_id = ${person.id}`, sql`limit ${MOST}`);
  const reasons = await reasonsNotToEnter(tx, keys, drip, person);
  const enrolments = [];
  for (const enrolment of found) enrolments.push({ ...enrolment, next: await nextOf(tx, drip, enrolment) });
  return {
    in: found.some(({ state }) => state === 'active'),
    summary: summaryOf(drip, enrolments, reasons),
    enrolments,
    wouldEnter: { now: reasons.length === 0, reasons },
    leftOutMails: await leftOutMails(
      tx,
      drip,
      found.map(({ id }) => id),
    ),
  };
}

async function nextOf(tx: Tx, drip: Drip, enrolment: Enrolment): Promise<{ at: Date | null; what: string } | null> {
  const { state, version, step } = enrolment;
  if (state !== 'active') return null;
  const node = (await readSteps(tx, drip, version, [step])).get(step) as Node;
  return { at: goesOnAt(drip, enrolment), what: whatComes(node, enrolment) };
}

/** Whoever gets no mail would leave before the first step. */
async function reasonsNotToEnter(tx: Tx, keys: CustomerVault, drip: Drip, { id, email }: Subscriber): Promise<NotIn[]> {
  const refusals = (await refusalsOf(tx, drip, [id])).get(id) ?? [];
  const addresses = email === null ? [] : [email];
  const suppressed = await suppressedAmong(tx, keys, drip.customer_id, addresses, STOPS_MAILINGS);
  const leaving = leavingFor(suppressed.get(email ?? ''));
  const reasons: NotIn[] = [
    ...(drip.state === 'running' ? [] : [`drip_${drip.state}` as const]),
    ...(leaving === 'bounced' || leaving === 'suppressed' ? [leaving] : []),
    ...(leaving === 'unsubscribed' ? (['opted_out'] as const) : []),
    ...refusals,
  ];
  return [...new Set(reasons)];
}
