import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import * as fc from 'fast-check';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { type Marketing, marketingOf, rowsOf } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext);
});

const PEOPLE = ['ann', 'bob', 'cy', 'dan'];
const some = <T>(of: T[]) => fc.subarray(of, { minLength: 1 });

/** Something that is done to people and lists, named by their places. */
type Step =
  | { do: 'save'; person: string; list: number }
  | { do: 'delete'; people: string[] }
  | { do: 'subscribe' | 'unsubscribe'; people: string[]; lists: number[] }
  | { do: 'end'; person: string; list: number };

const aPerson = fc.constantFrom(...PEOPLE);
const aList = fc.constantFrom(0, 1);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('save' as const), person: aPerson, list: aList }),
  fc.record({ do: fc.constant('delete' as const), people: some(PEOPLE) }),
  fc.record({
    do: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
    people: some(PEOPLE),
    lists: fc.subarray([0, 1]),
  }),
  fc.record({ do: fc.constant('end' as const), person: aPerson, list: aList }),
);

async function carryOut(marketing: Marketing, lists: string[], ids: Map<string, string>, step: Step): Promise<void> {
  const known = (names: string[]) => names.flatMap((name) => ids.get(name) ?? []);
  if (step.do === 'save') {
    ids.set(step.person, await marketing.addPerson(`${step.person}@example.com`, {}, lists[step.list]));
  } else if (step.do === 'delete') {
    const gone = known(step.people);
    if (gone.length > 0) await marketing.take('DELETE', `/subscribers_bulk_delete?subscriber_ids=${gone.join(',')}`);
    for (const name of step.people) ids.delete(name);
  } else if (step.do === 'end') {
    const subscriberId = ids.get(step.person);
    if (subscriberId === undefined) return;
    const query = `subscriber_id=${subscriberId}&subscription_list_id=${lists[step.list]}`;
    const { data } = await marketing.take('GET', `/subscriptions?${query}`);
    for (const { id } of data) await marketing.take('DELETE', `/subscriptions/${id}`);
  } else {
    const subscription_list_ids = step.lists.map((each) => lists[each]);
    const body = { subscriber_ids: known(step.people), subscription_list_ids };
    await marketing.take('POST', `/subscriptions/${step.do}`, body);
  }
}

/** What the counters say, and what is there. */
async function assertCounted(marketing: Marketing, { id }: TestCustomer, lists: string[]): Promise<void> {
  const [people] = await rowsOf(
    app,
    `select count(*)::int as people, count(unsubscribed_at)::int as opted_out from subscribers where customer_id = $1`,
    [id],
  );
  assert.equal((await marketing.take('GET', '/subscribers?items=1')).total_count, people.people);
  assert.equal((await marketing.take('GET', '/subscribers/subscribed_count')).data, people.people - people.opted_out);
  for (const list of [...lists, 'default']) {
    const { data } = await marketing.take('GET', `/subscription_lists/${list}`);
    const [{ active }] = await rowsOf(
      app,
      `select count(*)::int as active from subscriptions c join subscribers s on s.id = c.subscriber_id
       where c.customer_id = $1 and subscription_list_id = $2
         and c.unsubscribed_at is null and s.unsubscribed_at is null and not c.pending`,
      [id, data.id],
    );
    assert.equal(data.attributes.subscriber_count, active, `list ${list}`);
  }
}

test('counts are right after any mixture of joining, leaving, opting out and deleting', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      const customer = await app.createCustomer();
      const marketing = marketingOf(app, customer);
      const lists = [await marketing.addList('One'), await marketing.addList('Other', { double_opt_in: true })];
      const ids = new Map<string, string>();
      for (const step of steps) await carryOut(marketing, lists, ids, step);
      await assertCounted(marketing, customer, lists);
    }),
    { numRuns: 40 },
  );
});
