import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { marketingOf, refusalOf } from './support.ts';

const DAY_MS = 24 * 3600_000;
const clock = createMovableClock();

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

test('who joined and who left is told by day; who has yet to confirm is not counted', async () => {
  const { take, addList, addPerson } = marketingOf(app, await app.createCustomer());
  const list = await addList('News');
  const other = await addList('Other');
  await addPerson('ann@example.com', {}, list);
  await addPerson('ben@example.com', {}, list);
  await addPerson('cy@example.com', {}, other);
  clock.advance(2 * DAY_MS);
  const today = clock.now().toISOString().slice(0, 10);
  const dan = await addPerson('dan@example.com', {}, list);
  await take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [dan], subscription_list_ids: [list] });
  const growth = async (days: number) =>
    (await take('GET', `/subscription_lists/${list}/growth?days=${days}`)).data.map(
      ({ joined, left }: Record<string, number>) => [joined, left],
    );
  assert.deepEqual(await growth(3), [
    [2, 0],
    [0, 0],
    [1, 1],
  ]);
  assert.deepEqual(await growth(1), [[1, 1]]);
  const { data } = await take('GET', `/subscription_lists/${list}/growth`);
  assert.deepEqual([data.length, data.at(-1).day], [30, today]);
  const asked = await addList('Asked', { double_opt_in: true, consent_text: 'I want it' });
  await addPerson('eve@example.com', {}, asked);
  const { data: none } = await take('GET', `/subscription_lists/${asked}/growth?days=1`);
  assert.deepEqual(none, [{ day: today, joined: 0, left: 0 }]);
});

test('days are a number that is not too large', async () => {
  const { ask, addList } = marketingOf(app, await app.createCustomer());
  const list = await addList('News');
  for (const days of ['0', '367', '-1', 'x']) {
    const refusal = refusalOf(await ask('GET', `/subscription_lists/${list}/growth?days=${days}`));
    assert.deepEqual([refusal[0], refusal[2]], [400, ['days']]);
  }
});
