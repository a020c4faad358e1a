import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { DashboardDeps } from '../deps.ts';
import { TextOrNull } from './reply-parts.ts';

/** What became of something whose answer got lost on its way to the browser. */
export function unansweredEndpoints({ idempotency }: DashboardDeps): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/unanswered_message',
      operation: 'askForUnansweredMessage',
      summary: 'Whether a message was accepted, by the Idempotency-Key that it was sent with within the last day',
      access: { scope: 'people', role: 'editor' },
      audit: null,
      body: Type.Object({
        operation: Type.Enum(['sendMessage', 'scheduleMessage']),
        key: Type.String({ minLength: 1, maxLength: 255, description: 'never in an address, as logs keep those' }),
      }),
      reply: Type.Object({
        state: Type.Enum(['accepted', 'refused', 'unknown'], {
          description: 'unknown: nothing has come by this key yet',
        }),
        id: TextOrNull,
      }),
      async handle({ act, body }) {
        const kept = await idempotency.findReply(act.customerId, body.operation, body.key);
        if (kept === null) return { state: 'unknown' as const, id: null };
        if (kept.status >= 400) return { state: 'refused' as const, id: null };
        const { sourceTrackingId } = kept.body as { sourceTrackingId: string };
        return { state: 'accepted' as const, id: sourceTrackingId };
      },
    }),
  ];
}
