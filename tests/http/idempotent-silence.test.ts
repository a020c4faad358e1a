import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdempotency } from '../../src/platform/http/idempotency.ts';
import { startApp } from '../support/app.ts';

test('who waits for the first of their key is told with it that the database is silent, and may come again', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const idempotency = createIdempotency(app.installation);
  const claim = await idempotency.claim(id, 'submitMessage', 'visit-17', {});
  let carriedOut = 0;
  const answered = async () => {
    carriedOut += 1;
    return { status: 200, body: carriedOut };
  };
  const first = idempotency.once(claim, () => Promise.reject(new Error('Query read timeout')));
  const waiting = Array.from({ length: 5 }, () => idempotency.once(claim, answered));
  for (const outcome of await Promise.allSettled([first, ...waiting])) {
    assert.equal(outcome.status === 'rejected' && outcome.reason.message, 'Query read timeout');
  }
  assert.equal(carriedOut, 0, 'nobody has begun anew');
  assert.deepEqual(await idempotency.once(claim, answered), { status: 200, body: 1, replayed: false });
});
