import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { addOpenForm, submissionsOf, submit } from './page-requests.ts';
import { NEXT, open, SUBMIT } from './visitor.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const HOUR = 3_600_000;
const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();

/** How many replies had each status. */
function countOf(replies: { status: number }[]): Record<number, number> {
  const groups = Map.groupBy(replies, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, same]) => [status, same.length]));
}

test('a form takes answers until it closes, and none from that moment on', async () => {
  const id = await addOpenForm(app, customer, { closes_at: inMs(10_000) });
  const page = await open(app, `/f/${id}`);
  clock.advance(9_999);
  assert.equal((await submit(app, id)).status, 201);
  clock.advance(1);
  const refused = await submit(app, id);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /no answers any more/);
  const late = await page.press(SUBMIT, { 'q.name': 'Ann' });
  assert.deepEqual([late.status, late.title], [403, 'This form is closed']);
  assert.deepEqual([(await open(app, `/f/${id}`)).title], ['This form is closed']);
  assert.equal((await submissionsOf(app, customer, id)).length, 1);
});

test('a form takes as many submissions as it is to, also when they come at once', async () => {
  const id = await addOpenForm(app, customer, { most_submissions: 3 });
  const page = await open(app, `/f/${id}`);
  assert.equal((await submit(app, id)).status, 201);
  const replies = await Promise.all(Array.from({ length: 8 }, () => submit(app, id)));
  assert.deepEqual(countOf(replies), { 201: 2, 403: 6 });
  clock.advance(5_000);
  assert.equal((await page.press(SUBMIT, {})).title, 'This form is full');
  assert.equal((await open(app, `/f/${id}`)).title, 'This form is full');
  assert.equal((await submissionsOf(app, customer, id)).length, 3);
});

const PASSWORD = 'a password of ours';

test('a password opens a form to the page and to the API', async () => {
  const id = await addOpenForm(app, customer, { password: PASSWORD });
  const { body } = await app.request('GET', `/api/forms/${id}/page`, { key: customer.key });
  assert.equal(body.has_password, true);
  assert.ok(!JSON.stringify(body).includes('argon2'));
  assert.deepEqual((await submit(app, id)).body.fields, {
    'gate.password': ['the password of this form is missing or wrong'],
  });
  assert.equal((await submit(app, id, { gate: { password: 'another password' } })).status, 403);
  assert.equal((await submit(app, id, { gate: { password: PASSWORD } })).status, 201);

  const asking = await open(app, `/f/${id}`);
  assert.match(asking.title, /password/);
  assert.deepEqual(asking.asked, []);
  const wrong = await asking.press(null, { password: 'not the password' });
  assert.equal(wrong.status, 403);
  const form = await wrong.press(null, { password: PASSWORD });
  assert.deepEqual(form.asked, ['name']);
  assert.ok(!form.text.includes(PASSWORD), 'the page carries a pass in its place');
  clock.advance(5_000);
  assert.match((await form.press(SUBMIT, { 'q.name': 'Ann' })).title, /Thank you/);
});

test('a pass lasts an hour, is of one form and password, and nothing typed is lost when it ends', async () => {
  const id = await addOpenForm(app, customer, { password: PASSWORD });
  const form = await (await open(app, `/f/${id}`)).press(null, { password: PASSWORD });
  clock.advance(HOUR - 1);
  const still = await form.press(['_go', 'stay'], { 'q.name': 'Ann' });
  assert.deepEqual(still.asked, ['name']);
  clock.advance(HOUR);
  const again = await still.press(SUBMIT, {});
  assert.match(again.title, /password/);
  const back = await again.press(null, { password: PASSWORD });
  assert.equal(back.value('q.name'), 'Ann');
  const other = await addOpenForm(app, customer, { password: PASSWORD });
  const foreign = await (await open(app, `/f/${other}`)).press(null, { _pass: back.value('_pass') as string });
  assert.match(foreign.title, /password/);
  await app.request('PUT', `/api/forms/${id}/page`, { key: customer.key, body: { password: 'changed meanwhile' } });
  assert.match((await back.press(NEXT, {})).title, /password/);
});

test('right passwords are no tries, and whoever tried too many keeps what they typed', async () => {
  const id = await addOpenForm(app, customer, { password: PASSWORD });
  const form = await (await open(app, `/f/${id}`)).press(null, { password: PASSWORD });
  for (let i = 0; i < 12; i += 1) assert.equal((await submit(app, id, { gate: { password: PASSWORD } })).status, 201);
  clock.advance(HOUR);
  let asking = await form.press(SUBMIT, { 'q.name': 'Ann' });
  for (let i = 0; i < 10; i += 1) asking = await asking.press(null, { password: `wrong ${i}` });
  const late = await asking.press(null, { password: PASSWORD });
  assert.deepEqual([late.status, late.headers.get('retry-after') !== null], [429, true]);
  assert.match(late.text, /Too many wrong passwords/);
  clock.advance(HOUR / 4);
  const back = await late.press(null, { password: PASSWORD });
  assert.equal(back.value('q.name'), 'Ann');
});

test('passwords are tried ten times in a quarter of an hour', async () => {
  const id = await addOpenForm(app, customer, { password: PASSWORD });
  for (let i = 0; i < 10; i += 1)
    assert.equal((await submit(app, id, { gate: { password: `wrong ${i}` } })).status, 403);
  assert.equal((await submit(app, id, { gate: { password: PASSWORD } })).status, 429);
  clock.advance(HOUR / 4);
  assert.equal((await submit(app, id, { gate: { password: PASSWORD } })).status, 201);
});

async function makeLinks(formId: string, body: object): Promise<{ id: string; path: string }[]> {
  const { status, body: made } = await app.request('POST', `/api/forms/${formId}/links`, { key: customer.key, body });
  assert.equal(status, 201);
  return made.data.map(({ id, url }: { id: string; url: string }) => ({ id, path: new URL(url).pathname }));
}

const tokenOf = (path: string) => path.split('/').at(-1) as string;

test('a link takes one submission, by the page or by the API, and none after it has expired', async () => {
  const id = await addOpenForm(app, customer, { single_use: true });
  const [first, second, third] = await makeLinks(id, { count: 3, expires_at: inMs(HOUR), answers: { name: 'Known' } });
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  assert.equal((await open(app, `/f/${id}`)).status, 403);
  assert.equal((await submit(app, id)).status, 403);
  const page = await open(app, first.path);
  assert.equal(page.value('q.name'), 'Known');
  clock.advance(5_000);
  const thanks = await page.press(SUBMIT, {});
  assert.match(thanks.title, /Thank you/);
  assert.equal((await open(app, first.path)).title, 'This link has been used');
  assert.match((await page.press(SUBMIT, {})).title, /Thank you/, 'the same page sent again is the same submission');
  assert.equal((await submit(app, id, { gate: { link: tokenOf(first.path) } })).status, 403);
  assert.equal((await submit(app, id, { gate: { link: tokenOf(second.path) } })).status, 201);
  clock.advance(HOUR);
  assert.equal((await open(app, third.path)).status, 403);
  assert.equal((await submit(app, id, { gate: { link: tokenOf(third.path) } })).status, 403);
  assert.equal((await submissionsOf(app, customer, id)).length, 2);
});

test('of two submissions by one link at once, one is taken', async () => {
  const id = await addOpenForm(app, customer, { single_use: true });
  const links = await makeLinks(id, { count: 5 });
  const replies = await Promise.all(
    links.flatMap(({ path }) => [path, path]).map((path) => submit(app, id, { gate: { link: tokenOf(path) } })),
  );
  assert.deepEqual(countOf(replies), { 201: 5, 403: 5 });
  const { body } = await app.request('GET', `/api/forms/${id}/links?items=3`, { key: customer.key });
  assert.deepEqual([body.total, body.data.length], [5, 3]);
  assert.ok(body.data.every((link: { used_at: string; submission_id: string }) => link.used_at && link.submission_id));
});

test('links are of one form, may be taken back, and are swept when they have expired', async (t) => {
  const worker = openDatabase(app.installation, 'worker', 1);
  t.after(() => worker.close());
  const tasks = await createTestTasks(app.installation, worker);
  const id = await addOpenForm(app, customer, { single_use: true });
  const other = await addOpenForm(app, customer, { single_use: true });
  const [link, kept] = await makeLinks(id, { count: 2, expires_at: inMs(HOUR) });
  assert.ok(link !== undefined && kept !== undefined);
  assert.equal((await submit(app, other, { gate: { link: tokenOf(link.path) } })).status, 403);
  const remove = () => app.request('DELETE', `/api/forms/${id}/links/${link.id}`, { key: customer.key });
  assert.equal((await remove()).status, 200);
  assert.equal((await remove()).status, 404);
  assert.equal((await open(app, link.path)).status, 403);
  const count = () =>
    asOwner(app, async (client) => (await client.query('select 1 from form_links where form_id = $1', [id])).rowCount);
  await tasks['sweep.hourly']?.({});
  assert.equal(await count(), 1);
  clock.advance(HOUR);
  await tasks['sweep.hourly']?.({});
  assert.equal(await count(), 0);
});

test('the tokens of links are stored as hashes, and the answers they bring are sealed', async () => {
  const id = await addOpenForm(app, customer, { single_use: true });
  const [link] = await makeLinks(id, { count: 1, answers: { name: 'canary of a link' } });
  const rows = await asOwner(
    app,
    async (client) => (await client.query('select * from form_links where form_id = $1', [id])).rows,
  );
  const stored = rows
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Buffer ? value.toString('latin1') : String(value)));
  assert.ok(!stored.some((text) => text.includes('canary') || text.includes(tokenOf(link?.path ?? ''))));
});

test('a submission that was turned away at the gate is taken under the same key with what was missing', async () => {
  const id = await addOpenForm(app, customer, { password: PASSWORD });
  const key = { 'idempotency-key': 'once at the gate' };
  assert.equal((await submit(app, id, { gate: { password: 'wrong' } }, key)).status, 403);
  assert.equal((await submit(app, id, { gate: { password: PASSWORD } }, key)).status, 201);
  assert.equal(
    (await submit(app, id, { gate: { password: PASSWORD } }, key)).headers.get('idempotency-replayed'),
    'true',
  );
  assert.equal((await submissionsOf(app, customer, id)).length, 1);
});
