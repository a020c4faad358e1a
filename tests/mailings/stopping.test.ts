import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MailRooms } from '../../src/email/index.ts';
import { type AdvanceDeps, advanceSends } from '../../src/marketing/mailings/sending/advance.ts';
import { createCompiledSends } from '../../src/marketing/mailings/sending/compiled-sends.ts';
import { createIdempotency } from '../../src/platform/http/idempotency.ts';
import { startApp } from '../support/app.ts';
import { createWorker } from '../support/delivery.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addMailing, startSend } from './mailing.ts';

test('mails that are not begun since the product stops were not tried, and are not taken again', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, ['ann@example.com']);
  await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  const halted = new AbortController();
  let asked = 0;
  const mailings = {
    ...worker,
    idempotency: createIdempotency(worker),
    warmUp: null,
    acceptMessages: () => assert.fail('nothing was to be accepted'),
    async handOver() {
      asked += 1;
      halted.abort();
      return null;
    },
  };
  const compiled = createCompiledSends(mailings);
  const deps: AdvanceDeps = { ...mailings, compiled, rooms: new MailRooms(), halted: halted.signal };
  for (let turns = 0; turns < 5; turns += 1) await advanceSends(deps);
  assert.equal(asked, 1);
  const rows = await asOwner(
    app,
    async (client) =>
      (await client.query('select state, attempts, first_tried_at, due_at <= now() as due from mailing_recipients'))
        .rows,
  );
  assert.deepEqual(rows, [{ state: 'queued', attempts: 0, first_tried_at: null, due: true }]);
});
