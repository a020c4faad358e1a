import { type Static, Type } from 'typebox';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Call, type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { createBulkJob } from '../bulk/bulk-job.ts';
import { type ConsentChangeKind, changeConsent } from '../bulk/change-consent.ts';
import { PeopleAndListsBody, PeopleBody, readBulkSelection, readLists, readPeopleIds } from '../bulk/read-bulk.ts';
import { evidenceOf } from '../consent/evidence-of.ts';
import { findSubscribers } from '../subscribers/find-subscriber.ts';
import type { MarketingDeps } from './deps.ts';
import { describeSubscriber, SubscriberReply } from './subscriber-reply.ts';

const Reply = Type.Object({
  data: Type.Union([Type.Array(SubscriberReply), Type.Object({ jid: Type.String({ format: 'uuid' }) })]),
});

const ON_LISTS: Record<ConsentChangeKind, string> = {
  subscribe:
    'Put people on lists, who left one or opted out only where subscriber_ids names them; ' +
    'without lists, take back that they opted out of everything',
  unsubscribe: 'Take people off lists; without lists, opt them out of everything',
};
const EVERYWHERE: Record<ConsentChangeKind, string> = {
  subscribe: 'Take back that people opted out of everything',
  unsubscribe: 'Opt people out of everything that is mailed to many',
};

type Asked = Static<typeof PeopleAndListsBody>;

/** Puts many people on lists at once, or takes them off. */
export function bulkSubscriptionEndpoints({ db, vault, clock, idempotency, requireOwn }: MarketingDeps): Endpoint[] {
  interface Change {
    kind: ConsentChangeKind;
    lists: number[];
  }

  async function atOnce(tx: Tx, keys: CustomerVault, act: Act, { kind, lists }: Change, ids: string[]) {
    const { customerId } = act;
    const find = () => findSubscribers(tx, requireOwn, customerId, ids);
    const people = (await find()).map(({ id }) => id);
    await changeConsent(tx, keys, kind, { customerId, people, lists, named: true }, evidenceOf(clock, act));
    await recordAct(tx, clock, act, { details: { people: people.length, lists: lists.map(String) } });
    return (await find()).map((person) => describeSubscriber(person));
  }

  async function carryOut(kind: ConsentChangeKind, call: Call<unknown, unknown, Asked>) {
    const { act, body, idempotency: claim } = call;
    const { customerId } = act;
    const ids = readPeopleIds('subscriber_ids', body.subscriber_ids ?? []);
    const isNamed = body.subscriber_ids !== undefined && body.subscriber_ids !== null;
    const keys = await vault.of(customerId);
    return db.tenant([customerId], async (tx) => {
      const lists = await readLists(tx, requireOwn, customerId, body.subscription_list_ids);
      // Who is to be opted in again has opted out.
      const withOptedOut = kind === 'subscribe' && lists.length === 0;
      const selection = isNamed
        ? null
        : { ...(await readBulkSelection(tx, requireOwn, customerId, body)), withOptedOut };
      const reply =
        selection === null
          ? { data: await atOnce(tx, keys, act, { kind, lists }, ids) }
          : { data: { jid: await createBulkJob(tx, { clock, keys, act }, kind, { selection, lists }) } };
      await idempotency.keepWith(tx, claim, { status: 200, body: reply });
      return reply;
    });
  }

  const onLists = (path: string, operation: string, kind: ConsentChangeKind) =>
    endpoint({
      ...partsOf(kind),
      path,
      operation,
      summary: ON_LISTS[kind],
      body: PeopleAndListsBody,
      handle: (call) => carryOut(kind, call),
    });

  const everywhere = (path: string, operation: string, kind: ConsentChangeKind) =>
    endpoint({
      ...partsOf(kind),
      path,
      operation,
      summary: EVERYWHERE[kind],
      body: PeopleBody,
      handle: (call) => carryOut(kind, { ...call, body: { ...call.body, subscription_list_ids: null } }),
    });

  return [
    onLists('/subscriptions/subscribe', 'subscribePeople', 'subscribe'),
    onLists('/subscriptions/unsubscribe', 'unsubscribePeople', 'unsubscribe'),
    onLists('/subscriptions/dynamic_bulk_subscribe', 'subscribeSegment', 'subscribe'),
    onLists('/subscriptions/dynamic_bulk_unsubscribe', 'unsubscribeSegment', 'unsubscribe'),
    everywhere('/subscriptions/bulk_global_subscribe', 'optInPeople', 'subscribe'),
    everywhere('/subscriptions/bulk_global_unsubscribe', 'optOutPeople', 'unsubscribe'),
  ];
}

/** What the operations have in common. */
function partsOf(kind: ConsentChangeKind) {
  return {
    method: 'POST',
    access: { scope: 'marketing' },
    audit: `subscribers.${kind}d`,
    idempotent: true,
    reply: Reply,
  } as const;
}
