import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { addOpenForm } from './page-requests.ts';
import { open, SUBMIT } from './visitor.ts';

let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
});

const bare = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '');

test('a form is found by its id, dashed or not, and by its name', async () => {
  const id = await addForm(app, customer.id, { title: 'Intake', vanity_url: 'intake-of-ours' });
  for (const address of [id, id.toUpperCase(), id.replaceAll('-', ''), 'intake-of-ours', 'Intake-Of-Ours']) {
    const page = await open(app, `/f/${address}`);
    assert.deepEqual([page.status, page.title], [200, 'Intake'], address);
  }
});

test('every form that is not public is the same page that says there is none', async () => {
  const ended = await app.createCustomer({ agreement: false });
  const archived = await addForm(app, customer.id);
  await app.request('POST', `/api/forms/${archived}/archive`, { key: customer.key });
  const deleted = await addForm(app, customer.id);
  await app.request('DELETE', `/api/forms/${deleted}`, { key: customer.key });
  const ids = [await addForm(app, customer.id, { active: false, vanity_url: 'not-yet-active' }), archived, deleted];
  const addresses = [
    ...ids,
    await addForm(app, ended.id),
    'not-yet-active',
    randomUUID(),
    'nothing',
    '%00',
    'a'.repeat(99),
  ];
  const pages = await Promise.all(
    addresses.flatMap((each) => ['', '/l/token', '/done'].map((rest) => open(app, `/f/${each}${rest}`))),
  );
  assert.ok(pages.every(({ status }) => status === 404));
  assert.equal(new Set(pages.map(({ text }) => bare(text))).size, 1);
  const posted = await fetch(`${app.url}/f/${archived}`, { method: 'POST', body: new FormData() });
  assert.deepEqual([posted.status, bare(await posted.text())], [404, bare(pages[0]?.text ?? '')]);
});

test('a page runs our script only, loads and sends nothing elsewhere, sets no cookie and is not stored', async () => {
  const id = await addOpenForm(app, customer, { frame_origins: ['https://clinic.example', 'http://localhost:8080'] });
  const { headers, text } = await open(app, `/f/${id}`);
  const policy = headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] as string;
  assert.equal(
    policy,
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; ` +
      "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
      'frame-ancestors https://clinic.example http://localhost:8080',
  );
  assert.ok(text.includes(`nonce="${nonce}"`));
  assert.deepEqual(
    ['set-cookie', 'referrer-policy', 'cache-control', 'x-content-type-options'].map((name) => headers.get(name)),
    [null, 'no-referrer', 'no-store', 'nosniff'],
  );
  const again = await open(app, `/f/${id}`);
  assert.notEqual(/'nonce-([^']+)'/.exec(again.headers.get('content-security-policy') ?? '')?.[1], nonce);
  const unframed = await open(app, `/f/${await addForm(app, customer.id)}`);
  assert.match(unframed.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/);
});

test('pages of forms and of signers, and files that come ahead, count with the network they are asked from', async () => {
  let left: number | null = null;
  for (const call of [
    'GET /f/x',
    'POST /f/x',
    'POST /f/x/l/token',
    'GET /f/x/challenge',
    'POST /f/x/drafts/mail',
    'POST /f/x/resume/draft/code',
    'POST /f/x/files',
    'HEAD /f/x/files/token',
    'PATCH /f/x/files/token',
    'GET /s/token',
    'POST /s/token/code',
    'GET /verify',
  ]) {
    const [method = '', path = ''] = call.split(' ');
    const { headers } = await fetch(app.url + path, { method });
    const remaining = Number(headers.get('ratelimit-remaining') ?? Number.NaN);
    assert.ok(remaining === (left ?? remaining + 1) - 1, call);
    left = remaining;
  }
});

test('HEAD answers as GET does', async () => {
  const id = await addForm(app, customer.id);
  const head = await fetch(`${app.url}/f/${id}`, { method: 'HEAD' });
  assert.deepEqual(
    [head.status, head.headers.get('content-type'), await head.text()],
    [200, 'text/html; charset=utf-8', ''],
  );
  assert.equal((await fetch(`${app.url}/f/${randomUUID()}`, { method: 'HEAD' })).status, 404);
});

test('a page of another site cannot post for its visitor, and a framed page of ours can', async () => {
  const id = await addForm(app, customer.id);
  const post = async (headers: Record<string, string>) => {
    const body = new FormData();
    body.append('_go', 'next');
    return (await fetch(`${app.url}/f/${id}`, { method: 'POST', headers, body })).status;
  };
  assert.equal(await post({ 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await post({ 'sec-fetch-site': 'same-site' }), 403);
  assert.equal(await post({ origin: 'https://evil.example' }), 403);
  assert.equal(await post({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }), 200);
  assert.equal(await post({ origin: app.url }), 200);
});

test('what is no page of ours is refused', async () => {
  const id = await addForm(app, customer.id);
  const post = (type: string, body: string) =>
    app.request('POST', `/f/${id}`, { raw: body, headers: { 'content-type': type } });
  assert.equal((await post('application/json', '{}')).status, 415);
  assert.equal((await post('multipart/form-data; boundary=x', 'nothing')).status, 400);
  assert.equal((await app.request('PUT', `/f/${id}`)).status, 404);
});

const PREFILL = {
  fields: [
    { name: 'name', type: 'text', prefill: true },
    { name: 'visits', type: 'number', prefill: true, max: 9 },
    { name: 'day', type: 'date', prefill: true },
    { name: 'signs', type: 'checkboxes', options: ['cough', 'fever'], prefill: true },
    { name: 'agreed', type: 'consent', text: 'Yes', prefill: true },
    { name: 'secret', type: 'text' },
  ],
};

test('an address fills in questions that allow it, with answers that are good ones', async () => {
  const id = await addForm(app, customer.id, { form_json: PREFILL });
  const page = await open(
    app,
    `/f/${id}?name=Ann&visits=3&day=2/1/2020&signs=cough&signs=fever&agreed=true&secret=x&other=y`,
  );
  const filled = page.sent().filter(([name]) => name.startsWith('q.'));
  assert.deepEqual(filled, [
    ['q.name', 'Ann'],
    ['q.visits', '3'],
    ['q.day', '2020-02-01'],
    ['q.signs', 'cough'],
    ['q.signs', 'fever'],
    ['q.secret', ''],
  ]);
  const bad = await open(app, `/f/${id}?visits=10&day=never&name=${'x'.repeat(5)}&name=Eve`);
  assert.deepEqual([bad.value('q.visits'), bad.value('q.day'), bad.value('q.name')], ['', '', 'Eve']);
  const unstorable = await open(app, `/f/${id}?name=a%00b&signs=cough&signs=%00`);
  assert.equal(unstorable.value('q.name'), '');
  assert.equal((await unstorable.press(['_go', 'stay'], {})).status, 200);
  const posted = await page.press(['_go', 'stay'], { 'q.name': 'Typed' });
  assert.equal(posted.value('q.name'), 'Typed');
});

test('only a receipt of the form itself is thanked for', async () => {
  const [id, other] = [await addForm(app, customer.id), await addForm(app, customer.id)];
  const reply = await app.request('POST', `/api/forms/${id}/submissions`, { body: { form_data: {} } });
  const receipt = encodeURIComponent(reply.headers.get('submission-receipt') as string);
  assert.match((await open(app, `/f/${id}/done?receipt=${receipt}`)).title, /Thank you/);
  assert.equal((await open(app, `/f/${other}/done?receipt=${receipt}`)).status, 404);
  assert.equal((await open(app, `/f/${id}/done?receipt=${receipt}x`)).status, 404);
  assert.equal((await open(app, `/f/${id}/done`)).status, 404);
});

test('the script is sent as small as it is taken, and may be kept for ever', async () => {
  const id = await addForm(app, customer.id);
  const { text } = await open(app, `/f/${id}`);
  const src = /<script type="module" src="([^"]+)"/.exec(text)?.[1] as string;
  assert.match(src, /^\/f\/-\/main\.[\w-]+\.js$/);
  const sizes = await Promise.all(
    ['identity', 'gzip', 'br, gzip', 'gzip;q=0'].map(async (encoding) => {
      const reply = await fetch(app.url + src, { headers: { 'accept-encoding': encoding } });
      assert.match(reply.headers.get('cache-control') ?? '', /immutable/);
      return reply.headers.get('content-encoding');
    }),
  );
  assert.deepEqual(sizes, [null, 'gzip', 'br', null]);
  assert.equal((await fetch(`${app.url}/f/-/nothing.js`)).status, 404);
});

test('neither answers nor files nor tokens are logged', async () => {
  const id = await addOpenForm(
    app,
    customer,
    {},
    {
      form_json: {
        fields: [
          { name: 'scan', type: 'file' },
          { name: 'canary', type: 'email' },
        ],
      },
    },
  );
  const page = await open(app, `/f/${id}?canary=canary-in-address@example.com`);
  await page.press(SUBMIT, { 'q.canary': 'canary-of-answer' }, [
    { control: 'q.scan', name: 'canary-name.txt', content: 'canary-bytes' },
  ]);
  assert.ok(!/canary-/.test(app.logged()));
});
