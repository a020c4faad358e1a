import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { deliveredReceipt, messageTo, receiptOf, sandboxCopy, send } from '../support/mail.ts';

let app: TestApp;
let customer: TestCustomer;

before(async (context) => {
  app = await startApp(context as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
  customer = await app.createCustomer();
});

const HTML =
  '<html><body><p><a href="https://one.test/?a=1&amp;b=2">one</a> <A HREF=https://two.test/x>two</A> ' +
  '<a href="https://one.test/?a=1&amp;b=2">again</a> <a href="mailto:a@b.test">mail</a> <a href="#x">here</a></p></body></html>';
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** The paths of the product's own links in a text, in order. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/http:\/\/[^"'>\s]+(\/t\/[\w-]+)/g)].map(([, path]) => path as string);
}

function visit(path: string, method = 'GET', headers: Record<string, string> = BROWSER): Promise<Response> {
  return fetch(app.url + path, { method, headers, redirect: 'manual' });
}

test('opens and clicks of one recipient are counted, and links lead where they led', async () => {
  const id = await send(app, customer.key, messageTo('ann@example.com', { content: { 'text/html': HTML } }));
  const { html } = await sandboxCopy(app, customer.key, id);
  const [one, two, again, picture, ...rest] = linksIn(html) as [string, string, string, string];
  assert.deepEqual(rest, []);
  assert.equal(again, one, 'the same target has the same link');
  assert.ok(html.includes('href="mailto:a@b.test"') && html.includes('href="#x"') && /<img[^>]+><\/body>/.test(html));
  for (const link of [one, two, picture]) assert.ok(link.length <= 3 + 60);

  assert.equal((await receiptOf(app, customer.key, id)).body.data.message.total_opens, 0);
  const opened = await visit(picture);
  assert.deepEqual([opened.status, opened.headers.get('content-type')], [200, 'image/gif']);
  await visit(picture);
  const clicked = await visit(one);
  assert.deepEqual([clicked.status, clicked.headers.get('location')], [302, 'https://one.test/?a=1&b=2']);
  assert.equal((await visit(two)).headers.get('location'), 'https://two.test/x');
  await visit(one);

  const { message } = (await deliveredReceipt(app, customer.key, id)).body.data;
  const [delivery] = message.message_deliveries;
  assert.equal(delivery.status.openedStatus, 'opened');
  assert.match(delivery.status.openedTime, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/);
  assert.deepEqual([message.total_opens, message.distinct_opens, message.total_click_count], [2, 1, 3]);
  assert.deepEqual(message.clicks_per_link, [
    { target_url: 'https://one.test/?a=1&b=2', click_count: 2 },
    { target_url: 'https://two.test/x', click_count: 1 },
  ]);
});

test('machines that open everything are told apart from people', async () => {
  const html = '<a href="https://one.test/">one</a>';
  const id = await send(app, customer.key, messageTo('ben@example.com', { content: { 'text/html': html } }));
  const [link, picture] = linksIn((await sandboxCopy(app, customer.key, id)).html) as [string, string];
  await visit(picture, 'GET', { 'user-agent': 'Mozilla/5.0' });
  await visit(picture, 'GET', { ...BROWSER, purpose: 'prefetch' });
  await visit(picture, 'HEAD');
  const scanned = await visit(link, 'GET', { 'user-agent': 'BarracudaCentral scanner' });
  assert.equal(scanned.headers.get('location'), 'https://one.test/', 'whoever it is, the link works');
  const { message } = (await deliveredReceipt(app, customer.key, id)).body.data;
  assert.deepEqual([message.total_opens, message.machine_opens, message.total_click_count], [0, 3, 0]);
  assert.equal(message.message_deliveries[0].status.openedStatus, 'not opened');
  assert.equal('openedTime' in message.message_deliveries[0].status, false);
});

test('the message says whether it is followed, else the customer, and one with several recipients never is', async () => {
  const content = { 'text/html': HTML, 'text/plain': 'https://plain.test/' };
  const sent = async (key: string, more: Record<string, unknown>, beside = {}) => {
    const id = await send(app, key, messageTo('ann@example.com', { content, ...more }), beside);
    return { id, copy: await sandboxCopy(app, key, id) };
  };
  const both = { override_open_tracking: 0, override_link_tracking: 'false' };
  assert.equal((await sent(customer.key, {}, both)).copy.html.trim(), HTML);
  assert.equal((await sent(customer.key, both)).copy.html.trim(), HTML, 'also within the message');
  assert.equal(linksIn((await sent(customer.key, {}, { override_open_tracking: false })).copy.html).length, 3);
  assert.equal(linksIn((await sent(customer.key, {}, { override_link_tracking: false })).copy.html).length, 1);
  assert.ok((await sent(customer.key, {})).copy.text.includes('https://plain.test/'), 'text is left alone');

  const many = await sent(customer.key, { cc: ['carl@example.com'] });
  assert.equal(many.copy.html.trim(), HTML);
  const { message } = (await deliveredReceipt(app, customer.key, many.id)).body.data;
  assert.equal(message.message_deliveries.length, 2);
  for (const name of ['total_opens', 'distinct_opens', 'total_click_count', 'clicks_per_link', 'unsubscribed']) {
    assert.equal(name in message, false, name);
  }
  for (const { status } of message.message_deliveries) assert.equal('openedStatus' in status, false);

  const reserved = await app.createCustomer();
  const settings = '/v1/email/settings';
  const off = { open_tracking: false, link_tracking: false };
  assert.deepEqual((await app.request('PATCH', settings, { key: reserved.key, body: off })).body.data, off);
  assert.equal((await sent(reserved.key, {})).copy.html.trim(), HTML);
  assert.equal(linksIn((await sent(reserved.key, {}, { override_open_tracking: true })).copy.html).length, 1);
  assert.equal(linksIn((await sent(reserved.key, { override_link_tracking: 1 })).copy.html).length, 3);
  const besideWins = await sent(reserved.key, { override_open_tracking: true }, { override_open_tracking: false });
  assert.equal(besideWins.copy.html.trim(), HTML);
  await app.request('PATCH', settings, { key: reserved.key, body: { link_tracking: true } });
  assert.equal(linksIn((await sent(reserved.key, {})).copy.html).length, 3);
});

test('unsubscribing takes a POST, shows in the receipt and leads on to the sender', async () => {
  const beside = { unsubscribe_url: 'https://clinic.test/out?u="<1>' };
  const id = await send(app, customer.key, messageTo('dora@example.com'), beside);
  const { headers } = await sandboxCopy(app, customer.key, id);
  assert.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click');
  assert.match(headers['List-Unsubscribe'], /^<http:[^<>]+>$/);
  const [link] = linksIn(headers['List-Unsubscribe']) as [string];

  const page = await visit(link);
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(await page.text(), /<form method="post">/);
  assert.equal((await receiptOf(app, customer.key, id)).body.data.message.unsubscribed, false);
  const done = await visit(link, 'POST');
  assert.ok((await done.text()).includes('href="https://clinic.test/out?u=%22%3C1%3E"'));
  assert.equal((await receiptOf(app, customer.key, id)).body.data.message.unsubscribed, true);
});

test("a sender's own List-Unsubscribe stays, and with several recipients the sender's page is given", async () => {
  const own = { from: 'clinic@example.org', 'List-Unsubscribe': '<https://own.test/u>' };
  const kept = await send(app, customer.key, messageTo('e@example.com', { headers: own }), {
    unsubscribe_url: 'https://clinic.test/out',
  });
  assert.equal((await sandboxCopy(app, customer.key, kept)).headers['List-Unsubscribe'], '<https://own.test/u>');

  const onlyPost = { from: 'clinic@example.org', 'List-unsubscribe-post': 'List-Unsubscribe=One-Click' };
  const completed = await send(app, customer.key, messageTo('e@example.com', { headers: onlyPost }));
  const { headers } = await sandboxCopy(app, customer.key, completed);
  assert.equal(linksIn(headers['List-Unsubscribe']).length, 1);
  const posts = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'list-unsubscribe-post');
  assert.deepEqual(posts, [['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click']]);

  const shared = await send(app, customer.key, messageTo('e@example.com', { cc: ['f@example.com'] }), {
    unsubscribe_url: 'https://clinic.test/out',
  });
  const together = (await sandboxCopy(app, customer.key, shared)).headers;
  assert.equal(together['List-Unsubscribe'], '<https://clinic.test/out>');
  assert.equal('List-Unsubscribe-Post' in together, false);
});

test('links that were not made here, or not for this, are 404 and lead nowhere', async () => {
  const id = await send(app, customer.key, messageTo('g@example.com', { content: { 'text/html': HTML } }));
  const [click, , , picture] = linksIn((await sandboxCopy(app, customer.key, id)).html) as [
    string,
    string,
    string,
    string,
  ];
  const token = Buffer.from(click.slice(3), 'base64url');
  const flipped = Array.from({ length: token.length }, (_, index) => {
    const copy = Buffer.from(token);
    copy[index] = (copy[index] as number) ^ 1;
    return `/t/${copy.toString('base64url')}`;
  });
  const random = Array.from({ length: 200 }, () => `/t/${randomBytes(36).toString('base64url')}`);
  const odd = ['/t/x', '/t/%00', `/t/${encodeURIComponent('https://evil.test')}`, `${click}?url=https://evil.test/a`];
  for (const path of [...flipped, ...random, ...odd.slice(0, 3)]) {
    const { status, headers } = await visit(path);
    assert.deepEqual([status, headers.get('location')], [404, null], path);
  }
  assert.equal((await visit(odd[3] as string)).headers.get('location'), 'https://one.test/?a=1&b=2');
  assert.equal((await visit(click, 'POST')).status, 404);
  assert.equal((await visit(picture, 'POST')).status, 404);
});
