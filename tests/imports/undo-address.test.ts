import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runImport } from '../../src/marketing/imports/run.ts';
import { undoImport } from '../../src/marketing/imports/undo.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { messageTo, send as sendMail } from '../support/mail.ts';
import { IMPORTS, look, people, send } from './support.ts';

const NUMBER = '+14155550123';

test('who is known by the address alone that came while an import went on keeps it, and everybody gets back the rest', async (t) => {
  const app = await startApp(t, { clock: createMovableClock() });
  const customer = await app.createCustomer();
  const ask = (method: string, path: string, subscriber: object) =>
    app.request(method, `/v1/marketing/${path}`, { key: customer.key, body: { subscriber } });
  const { body } = await ask('POST', 'subscribers', { phone_number: NUMBER, first_name: 'Ann' });
  await ask('POST', 'subscribers', { email: 'b@example.com', first_name: 'Bob' });
  const file = `email,phone,first_name\nb@example.com,,Bobby\n,${NUMBER},Anna\n${'nobody,,\n'.repeat(1_000)}a@example.com,,Anne\n`;
  const which = { customerId: customer.id, importId: (await send(app, customer, file)).body.data.id as string };
  // While mail comes in an import rests between its chunks: the moment at which somebody notes the address.
  await sendMail(app, customer.key, messageTo('desk@example.com'));
  const change = (subscriber: object) => ask('PATCH', `subscribers/${body.data.id}`, subscriber);
  const wait = () => change({ email: 'a@example.com' });
  await runImport({ ...app.installation, wait }, which);
  assert.equal((await change({ phone_number: null })).status, 200);
  await app.request('POST', `${IMPORTS}/${which.importId}/undo`, { key: customer.key });
  await undoImport(app.installation, which);
  const { attributes } = await look(app, customer, which.importId);
  assert.deepEqual([attributes.state, attributes.restored], ['undone', 2]);
  assert.deepEqual(
    (await people(app, customer)).map((each) => [each.email, each.phone_number, each.first_name]),
    [
      ['a@example.com', null, 'Ann'],
      ['b@example.com', null, 'Bob'],
    ],
  );
});
