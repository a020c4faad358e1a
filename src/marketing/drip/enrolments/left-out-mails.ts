import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { EXPLANATIONS } from '../../mailings/explain.ts';
import type { Drip } from '../campaigns/drip.ts';
import '../../tables.ts';

const MOST = 100;
const SKIPPED = 'The mail was due while the drip campaign was paused, and what was overdue was skipped.';

/** A mail of a drip that somebody did not get, with the rule that decided it. */
export interface LeftOutMail {
  step: string;
  at: Date;
  rule: string;
  explanation: string;
}

/** The latest mails that were left out of somebody's ways through a drip, or came back, the newest first. */
export async function leftOutMails(
  tx: Tx,
  { customer_id: customerId }: Drip,
  enrolments: readonly string[],
): Promise<LeftOutMail[]> {
  const { rows } = await sql<Omit<LeftOutMail, 'explanation'>>`
    select v.step, v.at, coalesce(r.rule, v.outcome) as rule
    from drip_visits v left join mailing_recipients r on r.customer_id = ${customerId} and r.id = v.message_id
    where v.customer_id = ${customerId} and v.enrolment_id = any(${enrolments}::uuid[])
      and (v.outcome = 'skipped' or (r.rule is not null and r.state not in ('sent', 'delivered', 'deferred')))
    order by v.at desc limit ${MOST}`.execute(tx);
  return rows.map((row) => ({
    ...row,
    explanation: row.rule === 'skipped' ? SKIPPED : (EXPLANATIONS[row.rule] ?? ''),
  }));
}
