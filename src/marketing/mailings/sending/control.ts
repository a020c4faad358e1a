import { sql } from 'kysely';
import { recordAct } from '../../../accounts/index.ts';
import type { SenderRule } from '../../../email/index.ts';
import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, missingField } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { isUuid } from '../../../platform/ids.ts';
import { type Send, type SendState, selectSends } from './send.ts';
import '../../tables.ts';

/** What somebody may do with a send, and from which states. */
const MOVES = {
  unschedule: { from: ['scheduled'], to: 'cancelled' },
  pause: { from: ['scheduled', 'preparing', 'sending'], to: 'paused' },
  resume: { from: ['paused'], to: 'scheduled' },
  cancel: { from: ['scheduled', 'preparing', 'sending', 'paused', 'needs_decision'], to: 'cancelled' },
} as const satisfies Record<string, { from: SendState[]; to: SendState }>;

export type Move = keyof typeof MOVES;

interface Deps {
  clock: Clock;
  act: Act;
}

/** The send that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findSend(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  id: number,
  { lock = false } = {},
): Promise<Send> {
  const missing = missingField('id', 'no such send');
  await requireOwn(tx, customerId, sql<number | null>`find_send_customer(${id})`, missing);
  const query = selectSends(tx).where('customer_id', '=', customerId).where('id', '=', id);
  const found = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}

/** The send whose job has an id. */
export async function findSendOfJob(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  jid: string,
): Promise<Send> {
  const missing = missingField('jid', 'no such schedule');
  if (!isUuid(jid)) throw missing;
  await requireOwn(tx, customerId, sql<number | null>`find_send_job_customer(${jid})`, missing);
  const found = await selectSends(tx)
    .where('customer_id', '=', customerId)
    .where('jid', '=', jid)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw missing;
  return found;
}

/** Throws unless a send may leave from where it is from. */
export async function requireSender(tx: Tx, senderRule: SenderRule, send: Send): Promise<void> {
  const refusal = await senderRule.refusal(tx, send.customer_id, send.mode, send.sender_email);
  if (refusal === null) return;
  throw new AppError('unprocessable', `sender_email: ${refusal}`, { fields: { sender_email: [refusal] } });
}

/** Takes a send from one state to another, or refuses where it cannot go there. */
export async function moveSend(tx: Tx, { clock, act }: Deps, send: Send, move: Move): Promise<void> {
  const { from, to } = MOVES[move];
  if (send.drip_id !== null) throw new AppError('conflict', 'A send of a drip campaign goes as its drip campaign does');
  if (!(from as readonly SendState[]).includes(send.state)) {
    throw new AppError('conflict', `A send that is ${send.state} cannot be changed like that`);
  }
  const now = clock.now();
  await tx
    .updateTable('campaign_mailing_sends')
    .set({
      state: to === 'scheduled' ? resumedState(send) : to,
      updated_at: now,
      // Where it has not begun, there is nobody left to be left out.
      ...(to === 'cancelled' && send.started_at === null ? { finished_at: now } : {}),
    })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', send.id)
    .execute();
  await recordAct(tx, clock, act, { target: String(send.id) });
}

/** Goes on where it was when it was paused. */
function resumedState({ started_at: startedAt, audience_complete: complete }: Send): SendState {
  if (startedAt === null) return 'scheduled';
  return complete ? 'sending' : 'preparing';
}

/** Says what to do about mails of which nobody knows whether they arrived: take them for sent, or send them again. */
export async function decideUncertain(
  tx: Tx,
  { clock, act }: Deps,
  send: Send,
  decision: 'sent' | 'resend',
): Promise<number> {
  if (!['sending', 'paused', 'needs_decision'].includes(send.state)) {
    throw new AppError('conflict', `A send that is ${send.state} cannot be changed like that`);
  }
  const { customerId } = act;
  const now = clock.now();
  const state = decision === 'sent' ? 'sent' : 'queued';
  const dueAt = decision === 'sent' ? null : now;
  const { rows } = await sql<{ decided: number }>`
    with decided as (
      update mailing_recipients set state = ${state}, rule = 'decided', due_at = ${dueAt},
        settled_at = case when ${decision} = 'sent' then settled_at end,
        first_tried_at = case when ${decision} = 'sent' then first_tried_at end
      where customer_id = ${customerId} and send_id = ${send.id} and state = 'uncertain' returning 1
    ), counted as (
      update send_counts set uncertain = uncertain - (select count(*) from decided),
        sent = sent + case when ${decision} = 'sent' then (select count(*) from decided) else 0 end
      where customer_id = ${customerId} and send_id = ${send.id}
    )
    select count(*) as decided from decided`.execute(tx);
  if (send.state === 'needs_decision') {
    await tx
      .updateTable('campaign_mailing_sends')
      .set({ state: 'sending', updated_at: now })
      .where('customer_id', '=', customerId)
      .where('id', '=', send.id)
      .execute();
  }
  await recordAct(tx, clock, act, { target: String(send.id), details: { decision, mails: rows[0]?.decided ?? 0 } });
  return rows[0]?.decided ?? 0;
}
