import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import '../tables.ts';

/** In words what a row of the ledger says by its state and rule. */
export const EXPLANATIONS: Record<string, string> = {
  queued: 'The mail waits for its turn.',
  paced: 'The mail waits for its turn: its domain is sent only so many in a minute.',
  sending: 'The mail is being sent at this moment.',
  sent: 'The mail was handed to a relay.',
  secure_pickup: 'Nobody can verify the server of the recipient: a notice leads to the mail on the pickup page.',
  delivered: 'The mail was taken by the server of the recipient.',
  deferred: 'The server of the recipient asked to try again later.',
  soft_bounce: 'The server of the recipient refused this mail; the address may take others.',
  hard_bounce: 'The address does not exist; nothing more is sent to it.',
  complaint: 'The recipient complained about earlier mail; nothing more is sent.',
  manual: 'The address was suppressed by hand.',
  opt_out: 'The address was opted out of mailings.',
  deleted: 'The person was deleted before the mail left.',
  no_address: 'No email address is known.',
  opted_out: 'The person has opted out of everything.',
  unconfirmed: 'The person has not confirmed that they want to be on the list.',
  left_list: 'The person has left the list, or every list that they were on.',
  list_deleted: 'The list was deleted before the mail left.',
  left_drip: 'The person had left the drip campaign before the mail left.',
  cannot_be_written: 'With the values of this person the mail would become too long.',
  uncertain:
    'The mail may have arrived: the sender stopped before the answer was written down. Somebody has to decide.',
  decided: 'Nobody knew whether the mail arrived; somebody decided what to do about it.',
  cancelled: 'The send was cancelled before the mail left.',
  not_meant: 'The person was not in the audience when the send began.',
};

interface Row {
  send_id: number;
  state: string | null;
  rule: string | null;
  settled_at: Date | null;
  first_opened_at: Date | null;
  first_clicked_at: Date | null;
}

/** What became of every send of a mailing for one person, with the rule that decided it. */
export async function explainMailing(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  mailingId: number,
  subscriberId: string,
) {
  const { rows } = await sql<Row>`
    select s.id as send_id, r.state, r.rule, r.settled_at, e.first_opened_at, e.first_clicked_at
    from campaign_mailing_sends s
    left join mailing_recipients r on r.customer_id = s.customer_id and r.send_id = s.id
      and r.subscriber_id = ${subscriberId}
    left join mailing_engagement e on e.customer_id = s.customer_id and e.id = r.id
    where s.customer_id = ${act.customerId} and s.mailing_id = ${mailingId} and s.state <> 'scheduled'
    order by s.id`.execute(tx);
  await recordAct(tx, clock, act, { target: subscriberId, details: { mailing: String(mailingId) } });
  return { subscriber_id: subscriberId, sends: rows.map(describe) };
}

function describe({
  send_id: sendId,
  state,
  rule,
  settled_at: settledAt,
  first_opened_at: opened,
  first_clicked_at: clicked,
}: Row) {
  const shown = state ?? 'not_meant';
  return {
    campaign_mailing_send_id: String(sendId),
    state: shown,
    rule,
    explanation: EXPLANATIONS[rule ?? shown] ?? '',
    settled_at: settledAt?.toISOString() ?? null,
    opened_at: opened?.toISOString() ?? null,
    clicked_at: clicked?.toISOString() ?? null,
  };
}
