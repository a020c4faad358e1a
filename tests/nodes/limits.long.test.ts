import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const LIMIT = 120;
const EACH = 10;

const env = { CAREPOST_LIMITS: `free-disk=1MB,key=${LIMIT}/3600s` };
let first: TestApp;
before(async (t) => {
  first = await startApp(t as TestContext, { env });
});

test('three nodes hold one limit together, but for what they take before they settle', async (t) => {
  const nodes = [first];
  for (let more = 0; more < 2; more += 1) nodes.push(await startApp(t, { beside: first, env }));
  const { key, keyId } = await first.createCustomer();
  let [allowed, asked] = [0, 0];
  const settled = () =>
    withConnection(first.installation.ownerUrl, async (client) => {
      const { rows } = await client.query('select sum(count)::int as n from rate_counts where subject like $1', [
        `%${keyId}%`,
      ]);
      return rows[0].n === asked;
    });
  // A round is what all of them take between two settlements.
  for (let round = 0; round < 5; round += 1) {
    const replies = await Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: EACH }, () => node.request('GET', '/v1/marketing/subscription_lists', { key })),
      ),
    );
    asked += replies.length;
    allowed += replies.filter(({ status }) => status === 200).length;
    assert.ok(replies.every(({ status }) => status === 200 || status === 429));
    await eventually(settled);
  }
  assert.ok(allowed >= LIMIT, `${allowed}`);
  assert.ok(allowed <= LIMIT + (nodes.length - 1) * EACH, `${allowed}`);
});
