import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { NodeType } from '../graph/graph.ts';
import type { Enrolment } from './enrolment.ts';
import { readSteps } from './steps.ts';
import '../../tables.ts';

const MOST = 1_000;

/** A step that somebody came to, and what became of the mail that it meant. */
export interface PassedStep {
  step: string;
  type: NodeType | null;
  visit: number;
  at: Date;
  outcome: string | null;
  message_id: string | null;
  mail: PassedMail | null;
}

export interface PassedMail {
  state: string;
  rule: string | null;
  delivered_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
}

type Row = Omit<PassedStep, 'type' | 'mail'> & Omit<PassedMail, 'state'> & { state: string | null };

/** How somebody came to where they are: the latest thousand steps, in the order in which they took them. */
export async function readPath(tx: Tx, drip: Drip, { id, version }: Enrolment): Promise<PassedStep[]> {
  const { customer_id: customerId } = drip;
  const { rows } = await sql<Row>`
    select v.step, v.visit, v.at, v.outcome, v.message_id, r.state, r.rule,
      case when r.state = 'delivered' then r.settled_at end as delivered_at, m.first_opened_at as opened_at,
      m.first_clicked_at as clicked_at
    from drip_visits v
    left join mailing_recipients r on r.customer_id = ${customerId} and r.id = v.message_id
    left join mailing_engagement m on m.customer_id = ${customerId} and m.id = v.message_id
    where v.customer_id = ${customerId} and v.enrolment_id = ${id}
    order by v.number desc limit ${MOST}`.execute(tx);
  const steps = await readSteps(tx, drip, version, [...new Set(rows.map(({ step }) => step))]);
  return rows.toReversed().map(({ state, rule, delivered_at, opened_at, clicked_at, ...visit }) => ({
    ...visit,
    type: steps.get(visit.step)?.type ?? null,
    mail: state === null ? null : { state, rule, delivered_at, opened_at, clicked_at },
  }));
}
