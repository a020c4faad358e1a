import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeWay } from '../../src/marketing/imports/make-way.ts';
import { runImport } from '../../src/marketing/imports/run.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';
import { send as sendFile } from './support.ts';

async function start(t: TestContext) {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const [customer, other] = [await app.createCustomer(), await app.createCustomer()];
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  /** How long an import of the customer rests after a chunk of 80 ms. */
  async function rest(): Promise<number[]> {
    await makeWay({ db: app.installation.db, clock, wait }, customer.id, 80);
    return waits.splice(0);
  }
  return { app, clock, customer, other, rest, wait, waits };
}

test('an import that nobody stands behind does not rest', async (t) => {
  const { rest } = await start(t);
  assert.deepEqual(await rest(), []);
});

test('while messages of anybody come in, an import rests for as long as its chunk took', async (t) => {
  const { app, clock, other, rest } = await start(t);
  await send(app, other.key, messageTo('a@example.com'));
  assert.deepEqual(await rest(), [80]);
  clock.advance(2_000);
  assert.deepEqual(await rest(), [80]);
  clock.advance(1);
  assert.deepEqual(await rest(), []);
});

test('each chunk of an import but the last is followed by a rest then', async (t) => {
  const { app, customer, other, wait, waits } = await start(t);
  const rows = Array.from({ length: 2_500 }, (_none, number) => `p${number}@example.com\n`).join('');
  const importId = (await sendFile(app, customer, `email\n${rows}`)).body.data.id;
  await send(app, other.key, messageTo('a@example.com'));
  assert.equal(await runImport({ ...app.installation, wait }, { customerId: customer.id, importId }), false);
  assert.equal(waits.length, 3);
  assert.ok(waits.every((ms) => ms > 0));
});

test('and while submissions do', async (t) => {
  const { app, clock, other, rest } = await start(t);
  const form = await addForm(app, other.id);
  clock.advance(10_000);
  assert.deepEqual(await rest(), []);
  const { status } = await app.request('POST', `/v1/forms/api/forms/${form}/submissions`, {
    body: { form_data: { a: '1' } },
  });
  assert.equal(status, 201);
  assert.deepEqual(await rest(), [80]);
});
