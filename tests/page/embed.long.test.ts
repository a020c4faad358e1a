import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { openBrowser, visit } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';

const CANARY = 'canary5207';
const STEPS = {
  pages: [
    { fields: [{ name: 'first', type: 'text', label: 'First' }] },
    { fields: [{ name: 'last', type: 'text', label: 'Last' }] },
  ],
};

let app: TestApp;
let customer: TestCustomer;
let browser: Browser;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  browser = await openBrowser(t as TestContext);
});

/** A page of somebody else, which writes down every message and every event that reaches it. */
async function startHost(t: TestContext, body: string): Promise<string> {
  const record = `window.messages = []; window.events = [];
    addEventListener('message', ({ data }) => messages.push(JSON.stringify(data)));
    for (const name of ['step', 'submitted', 'size'])
      document.addEventListener('carepost:' + name, ({ target, detail }) =>
        events.push({ name, detail, at: target.previousElementSibling && target.previousElementSibling.id }));`;
  const html = `<!doctype html><title>Host</title><script>${record}</script><h1>Host</h1>${body}<p>After</p>`;
  const server = createServer(({ url }, reply) =>
    reply.setHeader('content-type', 'text/html').end(url === '/' ? html : ''),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const lineFor = (form: string, more = '') =>
  `<script src="${app.url}/embed.js" data-form="${form}" ${more} async></script>`;

async function allowFraming(id: string, origin: string): Promise<void> {
  const { status } = await app.request('PUT', `/api/forms/${id}/page`, {
    key: customer.key,
    body: { frame_origins: [origin] },
  });
  assert.equal(status, 200);
}

interface HostEvent {
  name: string;
  detail: Record<string, unknown>;
  at: string | null;
}

const eventsOf = (page: Page) => page.evaluate<HostEvent[]>('window.events');

async function waitForEvent(page: Page, name: string, isWanted: (event: HostEvent) => boolean = () => true) {
  await eventually(async () => (await eventsOf(page)).some((event) => event.name === name && isWanted(event)));
}

test('one line shows a form in its place: it sizes itself, is filled in, and tells how far somebody is, but no answer', async (t) => {
  const id = await addForm(app, customer.id, { form_json: STEPS });
  const host = await startHost(t, `<div id="place"></div>${lineFor(id, 'data-title="Intake form"')}`);
  await allowFraming(id, host);
  const { page, errors } = await visit(browser, host);
  await waitForEvent(page, 'step');
  const element = page.locator('.carepost-form > iframe');
  assert.equal(await element.getAttribute('title'), 'Intake form');
  assert.equal(await element.getAttribute('referrerpolicy'), 'no-referrer');
  assert.equal(
    await element.getAttribute('sandbox'),
    'allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  );
  assert.equal(await page.locator('script[data-form]').count(), 0, 'the frame stands in place of the line');

  await waitForEvent(page, 'size');
  const frame = page.frameLocator('.carepost-form > iframe');
  const wanted: number = await frame.locator('html').evaluate('document.documentElement.offsetHeight');
  await eventually(async () => Math.abs(((await element.boundingBox())?.height ?? 0) - wanted) <= 1);

  await frame.locator('[name="q.first"]').fill(CANARY);
  await frame.locator('button[value=next]:not(.aside)').click();
  await waitForEvent(page, 'step', ({ detail }) => detail.step === 1);
  await frame.locator('[name="q.last"]').fill(CANARY);
  await frame.locator('button[value=submit]:not(.aside)').click();
  await waitForEvent(page, 'submitted');

  const events = await eventsOf(page);
  assert.ok(events.every(({ at }) => at === 'place'));
  assert.deepEqual(
    events.filter(({ name }) => name !== 'size').map(({ name, detail }) => ({ name, detail })),
    [
      { name: 'step', detail: { form: id, step: 0, steps: 2 } },
      { name: 'step', detail: { form: id, step: 1, steps: 2 } },
      { name: 'submitted', detail: { form: id } },
    ],
  );
  assert.ok(!JSON.stringify([events, await page.evaluate('window.messages')]).includes(CANARY));
  assert.deepEqual(errors, []);
});

test('an origin that is not allowed sees no form', async (t) => {
  const [closed, other] = [await addForm(app, customer.id), await addForm(app, customer.id)];
  await allowFraming(other, 'https://clinic.example');
  const host = await startHost(t, `<i id="one"></i>${lineFor(closed)}<i id="two"></i>${lineFor(other)}`);
  const { page, errors } = await visit(browser, host);
  await eventually(async () => errors.filter((error) => error.includes('frame-ancestors')).length >= 2);
  for (const frame of page.frames().slice(1)) assert.equal(await frame.locator('form').count(), 0);
  assert.deepEqual(await eventsOf(page), []);
});

test('several forms stand in one page, by id or by name, each telling its own events, and in a wanted language', async (t) => {
  const fields = [{ name: 'a', type: 'text', label: 'Name' }];
  const spanish = { fields, translations: { es: { title: 'Ingreso' } } };
  const [one, two] = [
    await addForm(app, customer.id, { form_json: { fields } }),
    await addForm(app, customer.id, { form_json: spanish, vanity_url: 'embedded-intake' }),
  ];
  const host = await startHost(
    t,
    `<i id="one"></i>${lineFor(one)}<i id="two"></i>${lineFor('embedded-intake', 'data-language="es"')}`,
  );
  await allowFraming(one, host);
  await allowFraming(two, host);
  const { page } = await visit(browser, host);
  await waitForEvent(page, 'step', ({ at, detail }) => at === 'one' && detail.form === one);
  await waitForEvent(page, 'step', ({ at, detail }) => at === 'two' && detail.form === two);
  assert.equal(await page.frameLocator('iframe >> nth=1').locator('html').getAttribute('lang'), 'es');
});

test('messages of anybody else are not taken for those of the form, and of its own only what is known is handed on', async (t) => {
  const id = await addForm(app, customer.id);
  const host = await startHost(t, lineFor(id));
  await allowFraming(id, host);
  const { page } = await visit(browser, host);
  await waitForEvent(page, 'size');
  await page.evaluate(`postMessage({ carepost: 'submitted', form: 'forged' }, '*')`);
  const frame = page.frames()[1];
  await frame?.evaluate(`for (const data of [null, 7, { carepost: 'constructor' }, { carepost: 'size', height: 1e9 },
    { carepost: 'size', height: '<b>' }, { carepost: 'submitted', form: 'x', answers: { first: '${CANARY}' } }])
    parent.postMessage(data, '*')`);
  await waitForEvent(page, 'submitted');
  await frame?.goto(`${host}/elsewhere`);
  await frame?.evaluate(`parent.postMessage({ carepost: 'submitted', form: 'elsewhere' }, '*')`);
  await eventually(async () => (await page.evaluate<string[]>('window.messages')).join().includes('elsewhere'));
  const events = await eventsOf(page);
  assert.deepEqual(
    events.filter(({ name }) => name === 'submitted').map(({ detail }) => detail),
    [{ form: 'x' }],
  );
  const heights = events.filter(({ name }) => name === 'size').map(({ detail }) => Number(detail.height));
  assert.ok(heights.every((height) => height > 0 && height < 1e5));
});

test('the script is small, cached for an hour, known by its tag, and open to every page', async () => {
  const first = await app.request('GET', '/embed.js');
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(first.headers.get('cache-control'), 'public, max-age=3600');
  assert.equal(first.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.ok(first.text.length < 4_096, `${first.text.length} bytes`);
  assert.doesNotMatch(first.text, /\?\.|\?\?|\bimport\b|\.at\(/, 'ES2018');
  const tag = first.headers.get('etag') ?? '';
  const again = await app.request('GET', '/embed.js', { headers: { 'if-none-match': tag } });
  assert.equal(again.status, 304);
  assert.equal(again.text, '');
});
