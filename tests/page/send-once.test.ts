import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { addOpenForm, answersOf, submissionsOf } from './page-requests.ts';
import { open, SUBMIT } from './visitor.ts';

const DAY = 24 * 3_600_000;
const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const WITH_FILE = {
  fields: [
    { name: 'name', type: 'text' },
    { name: 'scan', type: 'file', required: true },
  ],
};

test('a form that is sent twice at once, and once more later, is taken once with one receipt', async () => {
  const id = await addForm(app, customer.id, { form_json: WITH_FILE });
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const scan = { control: 'q.scan', name: 'scan.txt', content: 'scan' };
  const send = () => page.press(SUBMIT, { 'q.name': 'Ann' }, [scan]);
  const pages = [...(await Promise.all([send(), send()])), await send()];
  const receipts = new Set(pages.map(({ text }) => /class="receipt">([\w-]+)</.exec(text)?.[1]));
  const [submission, ...more] = await submissionsOf(app, customer, id);
  assert.deepEqual([[...receipts], more.length], [[submission.id], 0]);
  assert.equal(submission.attachments.length, 1);
});

test('the last place of a form is taken once by whoever sends it twice', async () => {
  const id = await addOpenForm(app, customer, { most_submissions: 1 });
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const pages = await Promise.all([page.press(SUBMIT, {}), page.press(SUBMIT, {})]);
  assert.ok(pages.every(({ title }) => /Thank you/.test(title)));
  assert.match((await page.press(SUBMIT, {})).title, /Thank you/);
});

test('a page that was sent and is sent again with other answers changes nothing', async () => {
  const id = await addOpenForm(app, customer);
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  await page.press(SUBMIT, { 'q.name': 'Ann' });
  const again = await page.press(SUBMIT, { 'q.name': 'Eve' });
  assert.deepEqual([again.status, again.title], [409, 'Your answers have arrived already']);
  const submissions = await submissionsOf(app, customer, id);
  assert.deepEqual(submissions.map(answersOf), [{ name: 'Ann' }]);
});

test('a page that was open for over a day is shown again with everything in it, and then taken', async () => {
  const id = await addOpenForm(app, customer);
  const page = await open(app, `/f/${id}`);
  clock.advance(DAY + 1);
  const again = await page.press(SUBMIT, { 'q.name': 'Ann' });
  assert.deepEqual([again.status, again.value('q.name'), again.notes.length], [422, 'Ann', 1]);
  clock.advance(DAY);
  assert.match((await again.press(SUBMIT, {})).title, /Thank you/);
  const forged = await open(app, `/f/${id}`);
  assert.equal((await forged.press(SUBMIT, { _shown: `${clock.now().getTime() - 9_000}.AAAA` })).status, 422);
});

test('what comes back with a page stands in the next as text, whatever somebody has written into it', async () => {
  const id = await addOpenForm(app, customer);
  const written = '"><meta http-equiv=refresh content="0;url=https://evil.example">';
  for (const control of ['_once', '_shown']) {
    const body = new FormData();
    body.append(control, written);
    const reply = await fetch(`${app.url}/f/${id}`, { method: 'POST', body });
    const text = await reply.text();
    assert.deepEqual([reply.status, text.includes('<meta http-equiv')], [200, false], control);
    assert.match(
      text,
      /="&quot;&gt;&lt;meta http-equiv=refresh content=&quot;0;url=https:\/\/evil\.example&quot;&gt;"/,
    );
  }
});

test('the version that was shown is taken when the form has been changed meanwhile', async () => {
  const id = await addForm(app, customer.id, {
    form_json: { fields: [{ name: 'old', type: 'text', required: true }] },
  });
  const page = await open(app, `/f/${id}`);
  const form_json = { fields: [{ name: 'new', type: 'text', required: true }] };
  await app.request('PUT', `/api/forms/${id}`, { key: customer.key, body: { form_json } });
  clock.advance(5_000);
  assert.deepEqual((await page.press(SUBMIT, {})).asked, ['old']);
  assert.match((await page.press(SUBMIT, { 'q.old': 'Ann' })).title, /Thank you/);
  const [submission] = await submissionsOf(app, customer, id);
  assert.deepEqual([submission.form_version, answersOf(submission)], [1, { old: 'Ann' }]);
  const gone = await page.press(SUBMIT, { _version: '99', _once: 'another', 'q.old': 'Ann' });
  assert.deepEqual(gone.asked, ['new'], 'where a version is not there, the newest is shown');
});

test('a file that was taken with one submission goes with no other', async () => {
  const id = await addForm(app, customer.id, { form_json: WITH_FILE });
  const scan = { control: 'q.scan', name: 'scan.txt', content: 'scan' };
  const page = await (await open(app, `/f/${id}`)).press(['_go', 'stay'], {}, [scan]);
  clock.advance(5_000);
  assert.match((await page.press(SUBMIT, {})).title, /Thank you/);
  const again = await page.press(SUBMIT, { _once: 'another' });
  assert.deepEqual([again.status, Object.keys(again.problems)], [422, ['scan']]);
});
