import { Type } from 'typebox';
import type { Act } from '../../platform/act.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { EventPage } from '../events/list.ts';

const DEFAULT_LIMIT = 100;
const MOST = 1_000;

const Event = Type.Object({
  event_name: Type.String(),
  payload: Type.Object({
    id: Type.Integer(),
    subject: Type.String(),
    header_message_id: Type.String(),
    source_tracking_id: Type.String(),
    outbound_queue_id: Type.String(),
    time: Type.String({ format: 'date-time' }),
    from: Type.String(),
    to: Type.String(),
    custom_headers: Type.Record(Type.String(), Type.String()),
    uncertain: Type.Optional(
      Type.Literal(true, { description: 'the server got the whole message, and nobody knows what became of it' }),
    ),
  }),
});

const Whole = Type.String({ pattern: '^\\d{0,15}$' });

type ListEvents = (act: Act, page: { after: number; limit: number }) => Promise<EventPage>;

/** GET /events */
export function eventsEndpoint({ listEvents }: { listEvents: ListEvents }): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/events',
    operation: 'listEvents',
    summary: 'Every event after a number, in order and without gaps',
    access: { scope: 'email' },
    audit: 'events.read',
    query: Type.Object({ after: Type.Optional(Whole), limit: Type.Optional(Whole) }),
    reply: Type.Object({ data: Type.Array(Event), next: Type.Integer() }),
    handle: ({ act, query }) =>
      listEvents(act, {
        after: Number(query.after || 0),
        limit: Math.min(Math.max(1, Number(query.limit || DEFAULT_LIMIT)), MOST),
      }),
  });
}
