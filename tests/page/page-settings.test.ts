import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { submit } from './page-requests.ts';
import { open, SUBMIT } from './visitor.ts';

const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id);
});

const put = (body: object, id = formId) => app.request('PUT', `/api/forms/${id}/page`, { key: customer.key, body });

const OPEN = {
  closes_at: null,
  most_submissions: null,
  has_password: false,
  single_use: false,
  frame_origins: [],
  resumable: false,
  proof_of_work: 'off',
  traps: 'monitor',
  sealed_to: [],
};

/** What a reply says but for when that was changed last. */
const settingsIn = ({ body: { updated_at: _at, ...settings } }: Reply) => settings;

test('a form stands open to everybody until something else is said; null leaves as it is', async () => {
  const first = await app.request('GET', `/api/forms/${formId}/page`, { key: customer.key });
  assert.deepEqual(settingsIn(first), OPEN);
  const settings = {
    closes_at: '2030-01-01T00:00:00.000Z',
    most_submissions: 5,
    single_use: true,
    frame_origins: ['https://clinic.example'],
    resumable: true,
    proof_of_work: 'enforce',
    traps: 'enforce',
    sealed_to: [RECIPIENT],
  };
  const set = settingsIn(await put({ ...settings, password: 'a long password' }));
  assert.deepEqual(set, { ...settings, has_password: true });
  const nothing = Object.fromEntries(Object.keys({ ...settings, password: '' }).map((name) => [name, null]));
  assert.deepEqual(settingsIn(await put(nothing)), set);
  assert.deepEqual(settingsIn(await put({})), set);
  const cleared = { closes_at: '', most_submissions: '', password: '', single_use: false, frame_origins: [] };
  const back = await put({
    ...cleared,
    resumable: false,
    proof_of_work: 'off',
    traps: 'monitor',
    sealed_to: [],
  });
  assert.deepEqual(settingsIn(back), OPEN);
});

test('what a setting does not take is refused, and named', async () => {
  const bad: [string, object][] = [
    ['closes_at', { closes_at: 'tomorrow' }],
    ['closes_at', { closes_at: '2030-02-30T00:00:00Z' }],
    ['closes_at', { closes_at: '1' }],
    ['closes_at', { closes_at: '2030-01-01T10:00:00' }],
    ['most_submissions', { most_submissions: 0 }],
    ['most_submissions', { most_submissions: 2 ** 31 }],
    ['password', { password: 'x'.repeat(11) }],
    ['password', { password: 'x'.repeat(257) }],
    ['frame_origins.0', { frame_origins: ['http://clinic.example'] }],
    ['frame_origins.1', { frame_origins: ['https://clinic.example', "https://a.example; script-src 'unsafe-inline'"] }],
    ['frame_origins.0', { frame_origins: ['https://clinic.example/path'] }],
    ['frame_origins.0', { frame_origins: ['https://user@clinic.example'] }],
    ['frame_origins.0', { frame_origins: ['https://a.example;sandbox'] }],
    ['frame_origins.0', { frame_origins: ['*'] }],
    ['frame_origins.0', { frame_origins: ['https://*.example'] }],
    ['frame_origins', { frame_origins: Array.from({ length: 21 }, (_, i) => `https://${i}.example`) }],
    ['proof_of_work', { proof_of_work: 'sometimes' }],
    ['traps', { traps: 'sometimes' }],
    ['sealed_to.0', { sealed_to: [RECIPIENT.replace('8p', '9p')] }],
    ['sealed_to.0', { sealed_to: ['AGE-SECRET-KEY-1'] }],
    ['sealed_to', { sealed_to: Array.from({ length: 11 }, () => RECIPIENT) }],
  ];
  for (const [field, body] of bad) {
    const reply = await put(body);
    assert.equal(reply.status, 400, JSON.stringify(body));
    assert.ok(field in reply.body.fields, `${field}: ${reply.text}`);
  }
  const good = [
    { password: 'x'.repeat(12) },
    { password: 'x'.repeat(256) },
    { password: '' },
    { frame_origins: ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:8080', 'HTTPS://Clinic.example/'] },
    { frame_origins: Array.from({ length: 20 }, (_, i) => `https://${i}.example`) },
    { most_submissions: 2 ** 31 - 1 },
    { most_submissions: '' },
  ];
  for (const body of good) assert.equal((await put(body)).status, 200, JSON.stringify(body));
});

test('a change is written down by what it changes, without values', async () => {
  const id = await addForm(app, customer.id);
  await put({ password: 'a long password', frame_origins: ['https://clinic.example'] }, id);
  const rows = await asOwner(app, async (client) => {
    const query = `select action, details from audit_log where target = $1 and action = 'form.page-changed'`;
    return (await client.query(query, [id])).rows;
  });
  assert.deepEqual(rows, [{ action: 'form.page-changed', details: { changed: ['password', 'frame_origins'] } }]);
});

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

test('links are made one to a thousand at a time, for at most a year', async () => {
  const make = (body: object) => app.request('POST', `/api/forms/${formId}/links`, { key: customer.key, body });
  for (const body of [{}, { count: 0 }, { count: 1_001 }, { count: 1, expires_at: inDays(-1) }]) {
    assert.equal((await make(body)).status, 400, JSON.stringify(body));
  }
  for (const expires_at of [inDays(367), 'soon']) assert.equal((await make({ count: 1, expires_at })).status, 400);
  assert.equal((await make({ count: 1, answers: { name: 'x'.repeat(16_384) } })).status, 400);
  const { status, body } = await make({ count: 1_000, expires_at: inDays(365) });
  assert.equal(status, 201);
  const urls = new Set(body.data.map(({ url }: { url: string }) => url));
  assert.equal(urls.size, 1_000);
  const base = app.installation.config.publicUrl.replace(/\/$/, '');
  assert.match([...urls][0] as string, new RegExp(`^${base}/f/${formId}/l/[\\w-]{43}$`));
});

test('plain answers are refused where browsers are to encrypt them', async () => {
  const id = await addForm(app, customer.id, { form_json: { fields: [{ name: 'name', type: 'text' }] } });
  await put({ sealed_to: [RECIPIENT] }, id);
  const refused = await submit(app, id);
  assert.deepEqual([refused.status, Object.keys(refused.body.fields)], [403, ['sealed']]);
  const page = await open(app, `/f/${id}`);
  const again = await page.press(SUBMIT, { 'q.name': 'Ann' });
  assert.equal(again.status, 403);
  assert.equal((await app.request('GET', `/api/forms/${id}/submissions`, { key: customer.key })).body.total, 0);
});

test('what a gate is shown is text, in JSON and in multipart alike', async () => {
  const id = await addForm(app, customer.id);
  for (const gate of ['text', { password: 1 }, { link: {} }, { proof: [] }]) {
    assert.equal((await submit(app, id, { gate })).status, 400, JSON.stringify(gate));
  }
  await put({ password: 'a long password' }, id);
  const body = new FormData();
  body.append('form_data', '{}');
  body.append('_gate', JSON.stringify({ password: 'a long password' }));
  assert.equal((await fetch(`${app.url}/api/forms/${id}/submissions`, { method: 'POST', body })).status, 201);
});
