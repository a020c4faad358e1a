import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readPeopleIds } from '../bulk/read-bulk.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { deleteSubscribers } from '../subscribers/delete.ts';
import { findSubscribers } from '../subscribers/find-subscriber.ts';
import { readListId, readOverwritingSubscriber, SubscribersBody } from '../subscribers/read-subscriber.ts';
import { upsertSubscribers } from '../subscribers/upsert-many.ts';
import type { MarketingDeps } from './deps.ts';

const MOST_PEOPLE = 1_000;
const MB = 2 ** 20;

/** Many people at once. */
export function bulkSubscriberEndpoints({ db, vault, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/subscribers_bulk_create',
      operation: 'createSubscribers',
      summary: 'Add up to a thousand subscribers or update those with the same email, all or none',
      access: { scope: 'marketing', phi: true },
      audit: 'subscriber.saved',
      body: SubscribersBody,
      bodyLimit: 10 * MB,
      idempotent: true,
      reply: Type.Object({ data: Type.Object({ num_subscribers_added: Type.Integer() }) }),
      async handle({ act, body, idempotency: claim }) {
        if (body.subscribers.length > MOST_PEOPLE) throw tooMany('subscribers', 'subscribers');
        const people = body.subscribers.map((each, index) => readOverwritingSubscriber(each, `subscribers[${index}]`));
        const listId = readListId(body.subscription_list_id);
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          if (listId !== null) await requireOwnList(tx, requireOwn, act.customerId, listId);
          const added = await upsertSubscribers(tx, { clock, keys, act }, people, listId);
          const reply = { data: { num_subscribers_added: added } };
          await idempotency.keepWith(tx, claim, { status: 200, body: reply });
          return reply;
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/subscribers_bulk_delete',
      operation: 'deleteSubscribers',
      summary: 'Remove up to a thousand subscribers, all or none; opt-outs are remembered',
      access: { scope: 'marketing' },
      audit: 'subscriber.deleted',
      query: Type.Object({ subscriber_ids: Parameter('UUIDs or numbers, separated by commas') }),
      reply: Type.Object({}),
      async handle({ act, query }) {
        const given = [query.subscriber_ids ?? []].flat().flatMap((text) => text.split(','));
        const wanted = given.map((id) => id.trim()).filter((id) => id !== '');
        if (wanted.length === 0) throw invalidField('subscriber_ids', 'is required');
        const ids = readPeopleIds('subscriber_ids', wanted);
        const keys = await vault.of(act.customerId);
        return db.tenant([act.customerId], async (tx) => {
          const people = (await findSubscribers(tx, requireOwn, act.customerId, ids)).map(({ id }) => id);
          await deleteSubscribers(tx, { clock, keys }, act.customerId, people);
          for (const target of people) await recordAct(tx, clock, act, { target });
          return {};
        });
      },
    }),
  ];
}

function tooMany(field: string, what: string): AppError {
  const rule = `takes at most ${MOST_PEOPLE} ${what}`;
  return new AppError('unprocessable', `${field} ${rule}`, { fields: { [field]: [rule] } });
}
