import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeWay } from '../../src/marketing/imports/make-way.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { messageTo, send } from '../support/mail.ts';

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
  return { app, clock, other, rest };
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
