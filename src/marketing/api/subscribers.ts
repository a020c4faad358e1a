import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { Idempotency } from '../../platform/http/idempotency.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { readListId, readSubscriber, SubscriberBody } from '../subscribers/read-subscriber.ts';
import { type Subscriber, upsertSubscriber } from '../subscribers/upsert.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

const SubscriberReply = Type.Object({
  data: Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal('subscriber'),
    attributes: Type.Object({
      email: Text,
      phone_number: Text,
      first_name: Text,
      last_name: Text,
      full_name: Type.String(),
      unsubscribed: Type.Boolean(),
      created_at: Type.String({ format: 'date-time' }),
      updated_at: Type.String({ format: 'date-time' }),
    }),
  }),
});

interface Deps {
  db: Database;
  clock: Clock;
  idempotency: Idempotency;
  requireOwn: OwnershipCheck;
}

/** POST /subscribers */
export function createSubscriberEndpoint({ db, clock, idempotency, requireOwn }: Deps): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/subscribers',
    operation: 'createSubscriber',
    summary: 'Add a subscriber, or update the one with that email',
    access: { scope: 'marketing', phi: true },
    audit: 'subscriber.saved',
    body: SubscriberBody,
    idempotent: true,
    reply: SubscriberReply,
    async handle({ act, body, idempotency: claim }) {
      const wanted = readSubscriber(body);
      const listId = readListId(body.subscription_list_id);
      return db.tenant([act.customerId], async (tx) => {
        if (listId !== null) {
          const owner = sql<number | null>`find_subscription_list_customer(${listId})`;
          await requireOwn(tx, act.customerId, owner, 'subscription_list_id: no such list');
        }
        const reply = { data: describe(await upsertSubscriber(tx, { clock, act }, wanted, listId)) };
        await idempotency.keepWith(tx, claim, { status: 200, body: reply });
        return reply;
      });
    },
  });
}

function describe(row: Subscriber) {
  return {
    id: row.id,
    type: 'subscriber' as const,
    attributes: {
      email: row.email,
      phone_number: row.phone_number,
      first_name: row.first_name,
      last_name: row.last_name,
      full_name: [row.first_name, row.last_name].filter((part) => part !== null).join(' '),
      unsubscribed: row.unsubscribed_at !== null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}
