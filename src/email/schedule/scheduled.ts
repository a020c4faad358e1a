import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { timeOfId } from '../../platform/ids.ts';
import { refusedFrom, type SenderRule } from '../domains/sender-rule.ts';
import { messageNotFound, requireOwnMessage } from '../message-owner.ts';
import type { Schedule } from '../submission/accept.ts';
import { requireMovable } from './read-time.ts';
import '../tables.ts';

export interface ScheduledMessage {
  sourceTrackingId: string;
  scheduledAt: string;
  state: 'pending' | 'sent' | 'cancelled' | 'failed';
  messageId: number;
  sentAt: Date | null;
  cancelledAt: Date | null;
  errorMessage: string | null;
}

export interface ScheduleDeps {
  db: Database;
  clock: Clock;
  requireOwn: OwnershipCheck;
}

/** How a scheduled message stands. */
export async function readScheduled(deps: ScheduleDeps, act: Act, id: string): Promise<ScheduledMessage> {
  return deps.db.tenant([act.customerId], (tx) => findScheduled(tx, deps, act, id));
}

/** Moves a message that has not begun to leave to another time, provided that whoever does may send it. */
export async function moveScheduled(
  deps: ScheduleDeps & { senderRule: SenderRule },
  act: Act,
  id: string,
  schedule: Schedule,
): Promise<ScheduledMessage> {
  return change(deps, act, id, async (tx, message) => {
    requireMovable(timeOfId(message.sourceTrackingId), schedule);
    await requireSender(tx, deps.senderRule, message);
    await holdUnsent(tx, act, message, { due_at: schedule.at });
    await tx
      .updateTable('scheduled_messages')
      .set({ scheduled_at: schedule.at, scheduled_as: schedule.as })
      .where('customer_id', '=', act.customerId)
      .where('message_id', '=', message.sourceTrackingId)
      .execute();
    return { ...message, scheduledAt: schedule.as };
  });
}

async function requireSender(
  tx: Tx,
  senderRule: SenderRule,
  { sourceTrackingId: id }: ScheduledMessage,
): Promise<void> {
  const message = await tx
    .selectFrom('messages')
    .select(['customer_id', 'from_address', 'mode'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const refusal = await senderRule.refusal(tx, message.customer_id, message.mode, message.from_address);
  if (refusal !== null) throw refusedFrom(refusal);
}

/** Takes a message back that has not begun to leave. What else has to be written with it comes last. */
export async function cancelScheduled(
  deps: ScheduleDeps,
  act: Act,
  id: string,
  writeWith: (tx: Tx, cancelled: ScheduledMessage) => Promise<void>,
): Promise<ScheduledMessage> {
  return change(deps, act, id, async (tx, message) => {
    const now = deps.clock.now();
    await holdUnsent(tx, act, message, { due_at: null, state: 'cancelled', settled_at: now });
    await tx
      .updateTable('scheduled_messages')
      .set({ cancelled_at: now })
      .where('customer_id', '=', act.customerId)
      .where('message_id', '=', message.sourceTrackingId)
      .execute();
    const cancelled = { ...message, state: 'cancelled', cancelledAt: now } as const;
    await writeWith(tx, cancelled);
    return cancelled;
  });
}

type Change = (tx: Tx, message: ScheduledMessage) => Promise<ScheduledMessage>;

async function change(deps: ScheduleDeps, act: Act, id: string, make: Change): Promise<ScheduledMessage> {
  return deps.db.tenant([act.customerId], async (tx) => {
    const message = await findScheduled(tx, deps, act, id);
    if (message.state !== 'pending') throw noLongerPending();
    const changed = await make(tx, message);
    await recordAct(tx, deps.clock, act, { target: message.sourceTrackingId });
    return changed;
  });
}

/** Changes every recipient, provided that delivery has taken none of them up: the attempt count tells. */
async function holdUnsent(
  tx: Tx,
  act: Act,
  { sourceTrackingId }: ScheduledMessage,
  values: { due_at: Date | null; state?: 'cancelled'; settled_at?: Date },
): Promise<void> {
  const ofMessage = tx
    .updateTable('message_recipients')
    .set({ ...values, parked: false })
    .where('customer_id', '=', act.customerId)
    .where('message_id', '=', sourceTrackingId);
  const [held] = await ofMessage.where('attempts', '=', 0).where('state', '=', 'queued').execute();
  const { count } = await tx
    .selectFrom('message_recipients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', '=', act.customerId)
    .where('message_id', '=', sourceTrackingId)
    .executeTakeFirstOrThrow();
  if (Number(held?.numUpdatedRows ?? 0) !== count) throw noLongerPending();
}

function noLongerPending(): AppError {
  return new AppError('conflict', 'The message is no longer pending');
}

async function findScheduled(
  tx: Tx,
  { requireOwn }: ScheduleDeps,
  { customerId }: Act,
  id: string,
): Promise<ScheduledMessage> {
  await requireOwnMessage(tx, requireOwn, customerId, id);
  const scheduled = await tx
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('message_id', '=', id)
    .executeTakeFirst();
  if (scheduled === undefined) throw messageNotFound(id);
  const { begun, bounced, recipients, first } = await tx
    .selectFrom('message_recipients as r')
    .leftJoin('delivery_attempts as a', (join) =>
      join
        .onRef('a.message_id', '=', 'r.message_id')
        .onRef('a.ordinal', '=', 'r.ordinal')
        .onRef('a.customer_id', '=', 'r.customer_id')
        .on('a.attempt', '=', 1),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('recipients'),
      eb.fn.count<number>('a.attempt').as('begun'),
      eb.fn.countAll<number>().filterWhere('r.state', '=', 'bounced').as('bounced'),
      eb.fn.min('a.started_at').as('first'),
    ])
    .where('r.customer_id', '=', customerId)
    .where('r.message_id', '=', id)
    .executeTakeFirstOrThrow();
  const failed = bounced === recipients;
  const cancelled = scheduled.cancelled_at !== null;
  return {
    sourceTrackingId: scheduled.message_id,
    scheduledAt: scheduled.scheduled_as,
    state: cancelled ? 'cancelled' : failed ? 'failed' : begun > 0 ? 'sent' : 'pending',
    messageId: scheduled.number,
    sentAt: first,
    cancelledAt: scheduled.cancelled_at,
    errorMessage: failed ? 'The message could not be delivered to any recipient' : null,
  };
}
