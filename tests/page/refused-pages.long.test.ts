import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { SAVE } from '../drafts/saving.ts';
import { blobFiles } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { counts } from '../uploads/uploading.ts';
import { addOpenForm, submit } from './page-requests.ts';
import { open, SUBMIT } from './visitor.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const withFiles = (max_files: number) => ({ form_json: { fields: [{ name: 'scan', type: 'file', max_files }] } });

/** So many files for the question. */
function scans(count: number) {
  return Array.from({ length: count }, (_, i) => ({ control: 'q.scan', name: `${i}.txt`, content: `scan ${i}` }));
}

test('whatever is refused of a form is said where the form may be framed', async () => {
  const id = await addOpenForm(app, customer, { frame_origins: ['https://clinic.example'] });
  const ask = (path: string, given: RequestInit = {}) => fetch(`${app.url}/f/${id}${path}`, given);
  const elsewhere = { origin: 'https://elsewhere.example' };
  const replies = [
    await ask('', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
    await ask('', { method: 'POST', body: new FormData(), headers: elsewhere }),
    await ask('/done?receipt=none'),
    await ask('/challenge'),
  ];
  assert.deepEqual(
    replies.map(({ status }) => status),
    [415, 403, 404, 404],
  );
  for (const { headers } of replies) {
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/clinic\.example$/);
  }
});

test('a question keeps no more files than it takes', async () => {
  const id = await addOpenForm(app, customer, {}, withFiles(2));
  const page = await open(app, `/f/${id}`);
  const { uploads } = await counts(app);
  const first = await page.press(null, {}, scans(3));
  assert.equal(first.files['scan']?.length, 2);
  assert.match(first.problems['scan'] ?? '', /2/);
  const second = await first.press(null, {}, scans(1));
  assert.equal(second.files['scan']?.length, 2);
  assert.equal((await counts(app)).uploads, uploads + 2);
});

test('a hundred files of one network wait at a form, also when its page brings them, and no answer is lost', async () => {
  const fields = [{ name: 'name', type: 'text' }, ...withFiles(60).form_json.fields];
  const id = await addOpenForm(app, customer, {}, { form_json: { fields } });
  await (await open(app, `/f/${id}`)).press(null, {}, scans(60));
  const late = await (await open(app, `/f/${id}`)).press(null, { 'q.name': 'Ann' }, scans(41));
  assert.equal(late.files['scan']?.length, 40);
  assert.match(late.problems['scan'] ?? '', /could not be sent/);
  assert.equal(late.value('q.name'), 'Ann');
});

test('a form is saved a hundred times an hour from one network, and no answer is lost', async () => {
  const id = await addOpenForm(app, customer, { resumable: true });
  const page = await open(app, `/f/${id}`);
  for (let i = 0; i < 100; i += 1) assert.equal((await page.press(SAVE, { 'q.name': 'Ann' })).status, 200);
  const late = await page.press(SAVE, { 'q.name': 'Ann' });
  assert.deepEqual([late.status, late.value('q.name'), late.notes.length], [429, 'Ann', 1]);
  clock.advance(3_600_000);
  assert.equal((await late.press(SAVE, {})).status, 200);
});

test('a file that came with a page which is refused is either there or not, and never half', async () => {
  const id = await addOpenForm(app, customer, { most_submissions: 1 }, withFiles(1));
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  assert.equal((await submit(app, id, { form_data: {} })).status, 201);
  assert.equal((await page.press(SUBMIT, {}, scans(1))).title, 'This form is full');
  assert.equal(blobFiles(app).length, (await counts(app)).blobs);
});

test('whoever sends a form after too many others keeps what they typed', async (t) => {
  const limited = await startApp(t, { beside: app, clock, env: { CAREPOST_LIMITS: 'form=1/60s,free-disk=1MB' } });
  const id = await addOpenForm(app, customer);
  const page = await open(limited, `/f/${id}`);
  clock.advance(5_000);
  assert.equal((await submit(limited, id)).status, 201);
  const late = await page.press(SUBMIT, { 'q.name': 'Bob' });
  assert.deepEqual([late.status, late.value('q.name'), late.headers.get('retry-after') === null], [429, 'Bob', false]);
  clock.advance(60_000);
  assert.equal((await late.press(SUBMIT)).title, 'Thank you');
});
