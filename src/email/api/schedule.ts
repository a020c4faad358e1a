import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import { readScheduledAt } from '../schedule/read-time.ts';
import {
  cancelScheduled,
  moveScheduled,
  readScheduled,
  type ScheduleDeps,
  type ScheduledMessage,
} from '../schedule/scheduled.ts';
import type { AcceptedMessage } from '../submission/accept.ts';
import { HandlingBody, MessageBody, readMessage } from '../submission/read-message.ts';
import { readTemplateChoice } from '../submission/template-choice.ts';
import { LARGEST_BODY, onlyOne, type SendDeps } from './messages.ts';

const Time = Type.String({ description: 'RFC 3339, at most 30 days ahead' });
const Id = Type.Object({ id: Type.String() });
const OrNull = Type.Union([Type.String(), Type.Null()]);

const State = Type.Object({
  sourceTrackingId: Type.String(),
  scheduledAt: Type.String(),
  state: Type.Enum(['pending', 'sent', 'cancelled', 'failed']),
  messageId: Type.Integer(),
  sentAt: OrNull,
  cancelledAt: OrNull,
  errorMessage: OrNull,
});

const access = { scope: 'email' } as const;

/** POST /schedule, and reading, moving and cancelling what was scheduled. */
export function scheduleEndpoints(deps: SendDeps & ScheduleDeps & { idempotency: Idempotency }): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/schedule',
      operation: 'scheduleMessage',
      summary: 'Send one message later',
      access: { scope: 'email', phi: true },
      audit: 'message.scheduled',
      body: Type.Object({
        data: Type.Object({ message: MessageBody, scheduled_at: Time, ...HandlingBody.properties }),
      }),
      bodyLimit: LARGEST_BODY,
      idempotent: true,
      reply: Type.Object({
        sourceTrackingId: Type.String({ format: 'uuid' }),
        scheduledAt: Type.String(),
        state: Type.Literal('pending'),
        data: Type.Literal('Service OK'),
      }),
      async handle({ act, caller, body: { data }, idempotency }) {
        const schedule = readScheduledAt(deps.clock.now(), data.scheduled_at);
        const read = readMessage(data.message, data);
        const choice = readTemplateChoice(data, data.message);
        const message = choice === null ? read : await deps.applyTemplate(act.customerId, read, choice);
        const bodyOf = (accepted: AcceptedMessage[]) => ({
          sourceTrackingId: onlyOne(accepted).sourceTrackingId,
          scheduledAt: schedule.as,
          state: 'pending' as const,
          data: 'Service OK' as const,
        });
        const once = idempotency === null ? null : { claim: idempotency, bodyOf };
        return bodyOf(await deps.acceptMessages(act, caller, [message], once, schedule));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/schedule/:id',
      operation: 'readScheduledMessage',
      summary: 'How a scheduled message stands',
      access: { ...access, role: 'editor' },
      audit: null,
      params: Id,
      reply: State,
      handle: async ({ act, params }) => describe(await readScheduled(deps, act, params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/schedule/:id',
      operation: 'moveScheduledMessage',
      summary: 'Move a scheduled message to another time',
      access,
      audit: 'message.rescheduled',
      params: Id,
      body: Type.Object({
        scheduled_at: Type.Optional(Time),
        data: Type.Optional(Type.Object({ scheduled_at: Type.Optional(Time) })),
      }),
      reply: Type.Object({ ...State.properties, data: Type.Literal('Rescheduled') }),
      async handle({ act, caller, params, body }) {
        const schedule = readScheduledAt(deps.clock.now(), body.scheduled_at ?? body.data?.scheduled_at ?? '');
        const rule = { ...deps, senderRule: deps.senderRule.of(caller) };
        return { ...describe(await moveScheduled(rule, act, params.id, schedule)), data: 'Rescheduled' as const };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/schedule/:id/cancel',
      operation: 'cancelScheduledMessage',
      summary: 'Take a scheduled message back',
      access,
      audit: 'message.cancelled',
      params: Id,
      idempotent: true,
      reply: Type.Object({ ...State.properties, data: Type.Literal('Cancelled') }),
      async handle({ act, params, idempotency: claim }) {
        const cancelled = await cancelScheduled(deps, act, params.id, (tx, message) =>
          deps.idempotency.keepWith(tx, claim, { status: 200, body: describeCancelled(message) }),
        );
        return describeCancelled(cancelled);
      },
    }),
  ];
}

function describe({ sentAt, cancelledAt, ...rest }: ScheduledMessage) {
  return { ...rest, sentAt: sentAt?.toISOString() ?? null, cancelledAt: cancelledAt?.toISOString() ?? null };
}

function describeCancelled(message: ScheduledMessage) {
  return { ...describe(message), data: 'Cancelled' as const };
}
