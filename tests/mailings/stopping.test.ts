import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceSends } from '../../src/marketing/mailings/sending/advance.ts';
import { startApp } from '../support/app.ts';
import { createWorker } from '../support/delivery.ts';
import { asOwner } from '../support/owner.ts';
import { advancing } from './advancing.ts';
import { addList, addMailing, startSend } from './mailing.ts';

test('mails that are not begun since the product stops were not tried nor counted, and are not taken again', async (t) => {
  const app = await startApp(t);
  const worker = await createWorker(t, app);
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, ['ann@example.com']);
  await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  const halted = new AbortController();
  let asked = 0;
  let counted = 0;
  const deps = advancing(worker, {
    halted: halted.signal,
    warmUp: {
      async room(_tx, _customerId, _domain, wanted) {
        counted += wanted;
        return wanted;
      },
      async giveBack(_tx, _customerId, _domain, { count }) {
        counted -= count;
      },
      isOver: async () => false,
      tomorrow: () => assert.fail('there was room'),
    },
    async handOver() {
      asked += 1;
      halted.abort();
      return null;
    },
  });
  for (let turns = 0; turns < 5; turns += 1) await advanceSends(deps);
  assert.deepEqual([asked, counted], [1, 0]);
  const rows = await asOwner(
    app,
    async (client) =>
      (await client.query('select state, attempts, first_tried_at, due_at <= now() as due from mailing_recipients'))
        .rows,
  );
  assert.deepEqual(rows, [{ state: 'queued', attempts: 0, first_tried_at: null, due: true }]);
});
