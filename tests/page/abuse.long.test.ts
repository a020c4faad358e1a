import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addOpenForm, submissionsOf, submit } from './page-requests.ts';
import { open, SUBMIT } from './visitor.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

async function counted(): Promise<Record<string, number>> {
  const { text } = await app.request('GET', '/metrics');
  const lines = text.matchAll(/carepost_form_suspicions_total\{reason="(\w+)"\} (\d+)/g);
  return Object.fromEntries([...lines].map(([, reason, count]) => [reason, Number(count)]));
}

async function solve(formId: string): Promise<string> {
  const { body: challenge } = await app.request('GET', `/f/${formId}/challenge`);
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

test('where nothing is enforced, what looks like a program is taken and counted', async () => {
  const id = await addOpenForm(app, customer);
  const page = await open(app, `/f/${id}`);
  const earlier = await counted();
  assert.match((await page.press(SUBMIT, { website: 'http://spam.example', _once: 'a' })).title, /Thank you/);
  clock.advance(2_999);
  assert.match((await page.press(SUBMIT, { _once: 'b' })).title, /Thank you/);
  clock.advance(1);
  assert.match((await page.press(SUBMIT, { _once: 'c' })).title, /Thank you/);
  const later = await counted();
  assert.equal((later.honeypot ?? 0) - (earlier.honeypot ?? 0), 1);
  assert.equal((later.too_fast ?? 0) - (earlier.too_fast ?? 0), 1);
});

test('a form that watches counts missing and wrong proofs of work, and takes all', async () => {
  const id = await addOpenForm(app, customer, { proof_of_work: 'monitor' });
  const earlier = await counted();
  assert.equal((await submit(app, id)).status, 201);
  assert.equal((await submit(app, id, { gate: { proof: 'bm90aGluZw==' } })).status, 201);
  assert.equal((await submit(app, id, { gate: { proof: await solve(id) } })).status, 201);
  const later = await counted();
  assert.equal((later.proof_missing ?? 0) - (earlier.proof_missing ?? 0), 1);
  assert.equal((later.proof_invalid ?? 0) - (earlier.proof_invalid ?? 0), 1);
});

test('a form that enforces takes a proof of work once, for itself, and while it lasts', async () => {
  const id = await addOpenForm(app, customer, { proof_of_work: 'enforce' });
  const other = await addOpenForm(app, customer, { proof_of_work: 'enforce' });
  assert.equal((await submit(app, id)).status, 403);
  const proof = await solve(id);
  assert.equal((await submit(app, other, { gate: { proof } })).status, 403);
  assert.equal((await submit(app, id, { gate: { proof } })).status, 201);
  assert.equal((await submit(app, id, { gate: { proof } })).status, 403);
  const late = await solve(id);
  clock.advance(4 * 3_600_000);
  assert.equal((await submit(app, id, { gate: { proof: late } })).status, 403);
  const { challenge, solution } = JSON.parse(Buffer.from(await solve(id), 'base64').toString());
  const easier = { challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }, solution };
  const forged = Buffer.from(JSON.stringify(easier)).toString('base64');
  assert.equal((await submit(app, id, { gate: { proof: forged } })).status, 403);
});

test('traps are set without any proof of work, or not at all', async () => {
  const [set, none] = await Promise.all(
    ['enforce', 'off'].map((traps) => addOpenForm(app, customer, { traps, proof_of_work: 'off' })),
  );
  const page = await open(app, `/f/${set}`);
  clock.advance(3_000);
  assert.equal((await page.press(SUBMIT, { website: 'x' })).status, 403);
  assert.match((await page.press(SUBMIT, {})).title, /Thank you/);
  const earlier = await counted();
  assert.match((await (await open(app, `/f/${none}`)).press(SUBMIT, { website: 'x' })).title, /Thank you/);
  assert.deepEqual(await counted(), earlier);
});

test('whoever is taken for a program can send the form again, with all that was typed', async () => {
  const id = await addOpenForm(app, customer, { proof_of_work: 'enforce', traps: 'enforce' });
  const page = await open(app, `/f/${id}`);
  const quick = await page.press(SUBMIT, { 'q.name': 'Ann' });
  assert.deepEqual([quick.status, quick.value('q.name'), quick.notes.length], [403, 'Ann', 1]);
  clock.advance(3_000);
  const trapped = await quick.press(SUBMIT, { website: 'x' });
  assert.deepEqual([trapped.status, trapped.value('q.name'), trapped.value('website')], [403, 'Ann', '']);
  const withoutScript = await trapped.press(SUBMIT, {});
  assert.equal(withoutScript.status, 403);
  assert.match(withoutScript.notes.join(), /JavaScript/);
  const thanks = await withoutScript.press(SUBMIT, { _proof: await solve(id) });
  assert.match(thanks.title, /Thank you/);
  assert.equal((await submissionsOf(app, customer, id)).length, 1);
});

test('there is no challenge where a form asks for no work', async () => {
  const id = await addOpenForm(app, customer);
  assert.equal((await app.request('GET', `/f/${id}/challenge`)).status, 404);
});
