import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runImport } from '../../src/marketing/imports/run.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { messageTo, send as sendMail } from '../support/mail.ts';
import { countsOf, look, people, send } from './support.ts';

const [OLD, NEW] = ['+14155550123', '+14155550124'];

test('who gets their number back by hand while an import goes on is still the one whom it names', async (t) => {
  const app = await startApp(t, { clock: createMovableClock() });
  const customer = await app.createCustomer();
  const ask = (method: string, path: string, subscriber: object) =>
    app.request(method, `/v1/marketing/${path}`, { key: customer.key, body: { subscriber } });
  const { body } = await ask('POST', 'subscribers', { email: 'ann@example.com', phone_number: OLD });
  const file = `email,phone,first_name\nann@example.com,${NEW},\n${'nobody,,\n'.repeat(1_000)},${OLD},Ann\n`;
  const importId = (await send(app, customer, file)).body.data.id as string;
  // While mail comes in an import rests between its chunks: the moment at which somebody corrects the number.
  await sendMail(app, customer.key, messageTo('desk@example.com'));
  const wait = () => ask('PATCH', `subscribers/${body.data.id}`, { phone_number: OLD });
  await runImport({ ...app.installation, wait }, { customerId: customer.id, importId });
  const told = countsOf(await look(app, customer, importId));
  assert.deepEqual(told, { created: 0, updated: 2, unchanged: 0, skipped: 1_000, opted_out: 0 });
  assert.deepEqual(
    (await people(app, customer)).map(({ email, phone_number, first_name }) => [email, phone_number, first_name]),
    [['ann@example.com', OLD, 'Ann']],
  );
});
