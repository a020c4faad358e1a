import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import { AppError } from '../../platform/errors.ts';
import { timeOrderedId } from '../../platform/ids.ts';
import { EVENTS_BY_SCOPE } from '../events/names.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { EndpointWork } from './endpoints.ts';
import '../tables.ts';

/** An id that names nothing, for events that tell of nothing. */
const NOTHING = '00000000-0000-4000-8000-000000000000';

/** Queues an event that tells of nothing, on the same way as those that do; answers the id of the delivery. */
export async function queueTestEvent(
  { tx, clock, act }: EndpointWork,
  endpoint: WebhookEndpoint,
  wanted: string | undefined,
): Promise<string> {
  if (!endpoint.active) throw new AppError('conflict', 'The endpoint is switched off: switch it on to test it');
  const name = wanted ?? endpoint.events[0];
  if (name === undefined || !endpoint.events.includes(name)) {
    throw new AppError('unprocessable', 'event_name: takes one of the events of the endpoint', {
      fields: { event_name: ['takes one of the events of the endpoint'] },
    });
  }
  const now = clock.now();
  const { sequence } = await tx
    .updateTable('webhook_endpoints')
    .set({ last_sequence: sql`last_sequence + 1` })
    .where('customer_id', '=', act.customerId)
    .where('id', '=', endpoint.id)
    .returning('last_sequence as sequence')
    .executeTakeFirstOrThrow();
  const id = timeOrderedId(clock);
  await tx
    .insertInto('webhook_deliveries')
    .values({
      id,
      customer_id: act.customerId,
      endpoint_id: endpoint.id,
      sequence,
      event_name: name,
      facts: { test: 1, time: now.toISOString() },
      state: 'pending',
      due_at: now,
      created_at: now,
      settled_at: null,
    })
    .execute();
  await recordAct(tx, clock, act, { target: endpoint.publicId, details: { event: name } });
  return id;
}

/** What a test says: the parts that such an event has, with nobody's data in them, and that it is a test. */
export function describeTestEvent(name: string, time: string) {
  const isOfMail = EVENTS_BY_SCOPE.email.includes(name);
  return { event_name: name, test: true, payload: isOfMail ? mailSample(time) : formSample(time) };
}

function mailSample(time: string) {
  return {
    id: 0,
    subject: 'A test event',
    header_message_id: `<${NOTHING}@example.com>`,
    source_tracking_id: NOTHING,
    outbound_queue_id: `${NOTHING}-0`,
    time,
    from: 'clinic@example.com',
    to: 'patient@example.com',
    custom_headers: {},
  };
}

function formSample(time: string) {
  return { form_id: NOTHING, submission_id: NOTHING, time };
}
