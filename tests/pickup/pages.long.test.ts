import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { TestCustomer } from '../support/app.ts';
import { messageTo } from '../support/mail.ts';
import { comeIn, DAY, linkIn, type Office, openOffice, visit } from './visitor.ts';

let office: Office;
let customer: TestCustomer;

before(async (context) => {
  office = await openOffice(context as TestContext);
  customer = await office.app.createCustomer();
});

async function letterOf(content: Record<string, string>, more: Record<string, unknown> = {}) {
  const address = 'ann@example.com';
  const { path } = await office.leave(customer, messageTo(address, { content, ...more }));
  const visitor = await comeIn(office, customer, { path, address });
  return { path, text: (await visitor.get()).text };
}

test('no page can run, load or send anything elsewhere, be framed, kept or told of', async () => {
  const { path } = await office.leave(customer, messageTo('ann@example.com'));
  const inside = await comeIn(office, customer, { path, address: 'ann@example.com' });
  const pages = [
    await visit(office, path).get(),
    await inside.get(),
    await inside.get('/replied'),
    await inside.post('/open', { code: 'x' }),
    await visit(office, path).get('/files/0'),
    await visit(office, '/pickup/unknown').get(),
  ];
  for (const { headers, text } of pages) {
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(rule), rule);
    }
    assert.ok(!policy.includes('script-src') && !text.includes('<script'));
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(text, /^<!doctype html><html lang="en">/);
    for (const [, id] of text.matchAll(/<(?:input|textarea) id="(\w+)"/g))
      assert.ok(text.includes(`<label for="${id}"`));
  }
});

test('forms of other sites are refused', async () => {
  const { path } = await office.leave(customer, messageTo('ben@example.com'));
  const visitor = visit(office, path);
  const from = async (headers: Record<string, string>) => (await visitor.post('/open', { code: 'x' }, headers)).status;
  assert.equal(await from({ origin: 'https://evil.test' }), 403);
  assert.equal(await from({ 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await from({ 'sec-fetch-site': 'same-site', origin: office.app.url }), 403);
  assert.equal(await from({ 'sec-fetch-site': 'cross-site', origin: 'null' }), 403);
  assert.equal(await from({ origin: office.app.url }), 400);
  assert.equal(await from({ origin: office.app.installation.config.publicUrl }), 400);
  assert.equal(await from({ 'sec-fetch-site': 'same-origin', origin: 'null' }), 400);
  assert.equal(await from({ origin: 'null' }), 400, 'an old browser, and a page that tells nobody where it is');
});

test('the cookie is sent over TLS only, unless everything is on this machine', async (t) => {
  const secure = await openOffice(t, { CAREPOST_PUBLIC_URL: 'https://mail.clinic.test' });
  const owner = await secure.app.createCustomer();
  const { path } = await secure.leave(owner, messageTo('ann@example.com'));
  const visitor = visit(secure, path);
  await visitor.post('/code', {}, { origin: 'https://mail.clinic.test' });
  const { body } = await secure.app.request('GET', '/v1/email/message_log?limit=1', { key: owner.key });
  const id = body.data[0].sourceTrackingId;
  const { body: mail } = await secure.app.request('GET', `/v1/email/message_log/${id}`, { key: owner.key });
  const code = /\d{8}/.exec(mail.data.content.text)?.[0] as string;
  const { headers } = await visitor.post('/open', { code });
  assert.match(headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Strict; Secure$/);
});

test('visits count with the network they come from', async (t) => {
  const strict = await openOffice(t, { CAREPOST_LIMITS: 'network=5/60s, free-disk=1MB' });
  const visitor = visit(strict, '/pickup/unknown');
  for (let count = 1; count <= 5; count += 1) assert.equal((await visitor.get()).status, 404);
  const { status, headers, text } = await visitor.get();
  assert.equal(status, 429);
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  assert.ok(text.includes('<h1>Too many requests</h1>'));
});

test('a message says when it was meant to leave', async () => {
  const address = 'ann@example.com';
  const at = new Date(office.clock.now().getTime() + 20 * DAY);
  const data = { message: messageTo(address), scheduled_at: at.toISOString() };
  const { body } = await office.app.request('POST', '/v1/email/schedule', { key: customer.key, body: { data } });
  const path = linkIn(await office.notice(customer, body.sourceTrackingId));
  const visitor = await comeIn(office, customer, { path, address });
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  assert.ok((await visitor.get()).text.includes(`<dt>Sent:</dt><dd>${day} `));
});

test('pictures that came along are shown, others are not', async () => {
  const picture = { fileName: 'dot.png', contentType: 'image/png', content: 'iVBORw0KGgo=', contentId: 'dot@1' };
  const html =
    '<p style="color:red;position:fixed">Hello</p><img src="cid:dot@1" alt="a dot"><img src="https://evil.test/p.gif" alt="gone">';
  const { path, text } = await letterOf({ 'text/html': html, 'text/plain': 'other' }, { attachments: [picture] });
  assert.ok(text.includes('<p style="color:red">Hello</p>'));
  assert.ok(text.includes(`<img src="${path}/files/0" alt="a dot">`));
  assert.ok(!text.includes('evil.test') && text.includes('gone') && text.includes('Pictures on other servers'));
});

test('HTML that wants more than to be read loses it', async () => {
  const hostile = `</div></main><script>alert(1)</script><img src=x onerror=alert(1)><meta http-equiv=refresh content="0;url=//evil.test">
    <base href="//evil.test/"><form action="//evil.test"><input name=code><button>go</button></form><a href="javascript:alert(1)">a</a>
    <svg onload=alert(1)><style>@import "//evil.test"</style></svg><p style="background:url(//evil.test)">kept</p>
    <iframe src="//evil.test"></iframe><link rel=stylesheet href="//evil.test"><object data="//evil.test"></object>`;
  const { text } = await letterOf({ 'text/html': hostile });
  const letter = text.slice(text.indexOf('<div class="letter"'), text.indexOf('<h2>Reply'));
  assert.ok(letter.includes('<p>kept</p>'));
  for (const gone of ['evil', 'alert', '<script', '<input', '<meta', '<base', 'javascript', '</main>']) {
    assert.ok(!letter.includes(gone), gone);
  }
});
