import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalidField, missingField } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { readPeopleIds } from '../bulk/read-bulk.ts';
import { readEventName } from '../drip/graph/read-happening.ts';
import { tellDrips } from '../drip/tell-drips.ts';
import { findSubscribers } from '../subscribers/find-subscriber.ts';
import { findSubscribersAt } from '../subscribers/subscribers-at.ts';
import type { MarketingDeps } from './deps.ts';

const SubscriberId = Type.Union([Type.String(), Type.Integer()]);

const EventBody = Type.Object({
  event: Type.String({ description: '1 to 64 letters, digits, ., - and _' }),
  subscriber_id: Type.Optional(Type.Union([SubscriberId, Type.Null()])),
  subscriber_ids: Type.Optional(Type.Union([Type.Array(SubscriberId), Type.Null()], { description: 'At most 1000' })),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** POST /drip_events: something happened to people that only the customer knows of, and that drips may wait for. */
export function dripEventEndpoint({ db, clock, idempotency, requireOwn, onDrip }: MarketingDeps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/drip_events',
    operation: 'createDripEvent',
    summary: 'Tell drips of an event of your own that happened to people',
    access: { scope: 'marketing', phi: true },
    audit: 'drip_event.told',
    body: EventBody,
    idempotent: true,
    reply: Type.Object({
      data: Type.Object({ told: Type.Integer({ description: 'To how many people it happened' }) }),
    }),
    async handle({ act, body, idempotency: claim }) {
      const { customerId } = act;
      const event = readEventName('event', body.event);
      const reply = await db.tenant([customerId], async (tx) => {
        const people = await findPeople(tx, requireOwn, customerId, body);
        await tellDrips(tx, { customerId, kind: 'custom', subject: event, people, at: clock.now() });
        await recordAct(tx, clock, act, { details: { event, people: people.length } });
        const told = { data: { told: people.length } };
        await idempotency.keepWith(tx, claim, { status: 200, body: told });
        return told;
      });
      onDrip();
      return reply;
    },
  });
}

/** The people that a request names, each once. */
async function findPeople(
  tx: Tx,
  requireOwn: OwnershipCheck,
  customerId: number,
  { subscriber_id: id = null, subscriber_ids: ids = null, email }: Static<typeof EventBody>,
): Promise<string[]> {
  const address = email?.trim() ?? '';
  if (id === null && ids === null && address === '') {
    throw invalidField('subscriber_id', 'is required, or subscriber_ids or email');
  }
  const one = id === null ? [] : [String(id)];
  const named = [
    ...(await findSubscribers(tx, requireOwn, customerId, one, 'subscriber_id')),
    ...(await findSubscribers(tx, requireOwn, customerId, readPeopleIds('subscriber_ids', ids ?? []))),
  ];
  const known = address === '' ? [] : await findSubscribersAt(tx, customerId, [address]);
  if (address !== '' && known.length === 0) throw missingField('email', 'no such subscriber');
  return [...new Set([...named.map((person) => person.id), ...known])];
}
