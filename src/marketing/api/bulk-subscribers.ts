import { Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { Parameter } from '../../platform/http/body/parameter.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { readPeopleIds } from '../bulk/read-bulk.ts';
import { leaveLists } from '../consent/change.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { requireOwnList } from '../lists/require-own-list.ts';
import { one } from '../read-page.ts';
import { deleteSubscribers } from '../subscribers/delete.ts';
import { findSubscribers } from '../subscribers/find-subscriber.ts';
import { readListId, readOverwritingSubscriber, SubscribersBody } from '../subscribers/read-subscriber.ts';
import { upsertSubscribers } from '../subscribers/upsert-many.ts';
import type { MarketingDeps } from './deps.ts';

const MOST_PEOPLE = 1_000;
const MB = 2 ** 20;

/** Many people at once. */
export function bulkSubscriberEndpoints({ db, vault, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  /** Takes people off a list; that they were on it is remembered. */
  async function takeOff(tx: Tx, act: Act, people: string[], listId: number): Promise<void> {
    const { customerId } = act;
    await requireOwnList(tx, requireOwn, customerId, listId);
    await leaveLists(tx, { customerId, people, lists: [listId] }, evidenceOf(clock, act));
    const leaving = { ...act, action: 'subscribers.unsubscribed' };
    await recordAct(tx, clock, leaving, { details: { people: people.length, lists: [String(listId)] } });
  }

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
      summary: 'Remove up to a thousand subscribers, or take them off one list, all or none; opt-outs are remembered',
      access: { scope: 'marketing' },
      audit: 'subscriber.deleted',
      query: Type.Object({
        subscriber_ids: Parameter('UUIDs or numbers, separated by commas'),
        subscription_list_id: Parameter('Only take them off this list; the people stay'),
      }),
      reply: Type.Object({}),
      async handle({ act, query }) {
        const given = [query.subscriber_ids ?? []].flat().flatMap((text) => text.split(','));
        const wanted = given.map((id) => id.trim()).filter((id) => id !== '');
        if (wanted.length === 0) throw invalidField('subscriber_ids', 'is required');
        const ids = readPeopleIds('subscriber_ids', wanted);
        const listId = readListId(one(query.subscription_list_id));
        const { customerId } = act;
        const keys = await vault.of(customerId);
        return db.tenant([customerId], async (tx) => {
          const people = (await findSubscribers(tx, requireOwn, customerId, ids)).map(({ id }) => id);
          if (listId === null) {
            await deleteSubscribers(tx, { clock, keys }, customerId, people);
            for (const target of people) await recordAct(tx, clock, act, { target });
            return {};
          }
          await takeOff(tx, act, people, listId);
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
