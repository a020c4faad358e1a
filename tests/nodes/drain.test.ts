import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

test('a node that stops says so first, and answers until nobody sends it anything', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_DRAIN_SECONDS: '2' } });
  const { key } = await app.createCustomer();
  assert.equal((await app.request('GET', '/readyz')).status, 200);
  const start = performance.now();
  const stopped = app.stop();
  await eventually(async () => (await app.request('GET', '/readyz')).status === 503);
  assert.equal((await app.request('GET', '/healthz')).status, 200);
  assert.equal((await app.request('GET', '/v1/marketing/subscription_lists', { key })).status, 200);
  await stopped;
  assert.ok(performance.now() - start >= 1_990);
  await assert.rejects(app.request('GET', '/healthz'));
});
