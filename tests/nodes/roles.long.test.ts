import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { useEverything } from './whole-product.ts';

let http: TestApp;
before(async (t) => {
  http = await startApp(t as TestContext);
});

test('nodes that each play one role do everything together', async (t) => {
  const smtp = await startApp(t, { beside: http, env: { CAREPOST_ROLES: 'smtp' } });
  const worker = await startApp(t, { beside: http, env: { CAREPOST_ROLES: 'worker' } });
  assert.deepEqual([http.smtp, worker.smtp, smtp.url, worker.url], [undefined, undefined, '', '']);
  await useEverything({ http, smtpPort: smtp.smtp?.port as number, receiver: await startReceiver(t) });
});
