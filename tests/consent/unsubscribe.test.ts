import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import {
  type Audience,
  addList,
  addMail,
  addPerson,
  changesOf,
  linkTo,
  oneClick,
  post,
  rowsOf,
  standing,
  suppressionsOf,
  visit,
} from './mailing.ts';

let app: TestApp;
let customer: TestCustomer;
let listId: number;

before(async (t) => {
  app = await startApp(t as TestContext);
});

/** Somebody on a list who got a mail of a customer's own. */
async function reader(
  audience: (listId: number, personId: string) => Audience = (id) => ({ subscription_list_id: id }),
) {
  customer = await app.createCustomer();
  listId = await addList(app, customer, { name: 'News & <b>more</b>' });
  const personId = await addPerson(app, customer, 'Ann@example.com', listId);
  const mail = await addMail(app, customer, personId, audience(listId, personId));
  return { personId, ...mail, link: await linkTo(app, 'mailing-unsubscribe', mail.mailId) };
}

const counts = () =>
  rowsOf(app, customer, 'select unsubscribed, opted_out from send_counts where customer_id = $1').then(([row]) => row);

async function optedOut(personId: string): Promise<boolean> {
  const [row] = await rowsOf(
    app,
    customer,
    `select unsubscribed_at is not null as gone from subscribers where customer_id = $1 and id = '${personId}'`,
  );
  return row?.gone as boolean;
}

test('whoever only looks changes nothing, and sees which list it is and not whose mail', async () => {
  const { personId, link } = await reader();
  const page = await visit(link);
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/);
  assert.ok(text.includes('News &amp; &lt;b&gt;more&lt;/b&gt;') && text.includes(customer.username));
  assert.ok(!/ann@example|<script/i.test(text));
  for (const agent of ['Mozilla/5.0', 'BarracudaCentral scanner', 'Firefox']) {
    await visit(link, { 'user-agent': agent });
    await visit(link, { 'user-agent': agent }, 'HEAD');
  }
  for (const method of ['PUT', 'DELETE', 'PATCH']) assert.ok((await visit(link, {}, method)).status >= 400);
  assert.equal(await standing(app, customer, personId, listId), 'on');
  assert.deepEqual(await counts(), { unsubscribed: 0, opted_out: 0 });
  assert.deepEqual(await rowsOf(app, customer, 'select from mailing_engagement where customer_id = $1'), []);
});

test('one click leaves the list of the mail, without cookies or going elsewhere, and is told with its evidence', async () => {
  const { personId, link, mailingId, sendId, mailId } = await reader();
  const done = await oneClick(link);
  assert.equal(done.status, 200);
  assert.equal(done.headers.get('set-cookie'), null);
  assert.equal(await standing(app, customer, personId, listId), 'left');
  assert.equal(await optedOut(personId), false);
  assert.deepEqual(await suppressionsOf(app, customer), []);
  const left = (await changesOf(app, customer)).at(-1);
  const evidence = { mailing: mailingId, send: sendId, how: 'one-click' };
  assert.deepEqual(left, { change: 'left', source: 'link', list: listId, evidence });
  const [row] = await rowsOf(
    app,
    customer,
    'select id, unsubscribed_at, opted_out from mailing_engagement where customer_id = $1',
  );
  assert.deepEqual([row?.id, row?.unsubscribed_at instanceof Date, row?.opted_out], [mailId, true, false]);
});

test('one click takes every form of the same words', async () => {
  const words = 'List-Unsubscribe=One-Click';
  const part = `--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`;
  const bodies: [string | undefined, string, string][] = [
    ['application/x-www-form-urlencoded', words, 'one-click'],
    ['application/x-www-form-urlencoded; charset=utf-8', words, 'one-click'],
    ['multipart/form-data; boundary=x', part, 'one-click'],
    ['multipart/form-data; boundary=x', 'broken', 'page'],
    ['text/plain', words, 'page'],
    [undefined, '', 'page'],
  ];
  for (const [type, body, how] of bodies) {
    const { personId, link } = await reader();
    const headers = type === undefined ? {} : { 'content-type': type };
    const { status } = await fetch(link, { method: 'POST', headers, body });
    assert.equal(status, 200, type);
    assert.equal(await standing(app, customer, personId, listId), 'left', type);
    assert.equal((await changesOf(app, customer)).at(-1)?.evidence.how, how, type);
  }
  const { link } = await reader();
  const huge = await fetch(link, { method: 'POST', body: 'x'.repeat(100_000) });
  assert.equal(huge.status, 413);
});

test('a mail to a segment, to chosen people, or to a list that is gone is a way out of everything', async () => {
  const audiences: Record<string, (list: number, person: string) => Audience> = {
    segment: (list) => ({ subscription_list_id: list, segment_id: randomUUID() }),
    people: (list, person) => ({ subscription_list_id: list, subscriber_ids: [person] }),
    nothing: () => ({}),
    'a list that is gone': () => ({ subscription_list_id: 999_999 }),
  };
  for (const [name, audience] of Object.entries(audiences)) {
    const { personId, link, mailId } = await reader(audience);
    assert.ok(!(await (await visit(link)).text()).includes('value="list"'), name);
    assert.equal((await oneClick(link)).status, 200);
    assert.equal(await optedOut(personId), true, name);
    assert.equal(await standing(app, customer, personId, listId), 'quiet', name);
    const [suppressed, ...rest] = await suppressionsOf(app, customer);
    assert.deepEqual(rest, []);
    assert.deepEqual(
      { ...suppressed, createdAt: '' },
      { address: 'Ann@example.com', reason: 'opt_out', sourceTrackingId: mailId, createdAt: '' },
    );
    assert.deepEqual(await counts(), { unsubscribed: 0, opted_out: 1 }, name);
    assert.equal((await changesOf(app, customer)).at(-1)?.change, 'opted_out');
  }
});

test('the page offers the list or everything; who asks is counted once however often and however fast, as what they left at last', async () => {
  const { personId, link } = await reader();
  await Promise.all(Array.from({ length: 8 }, () => post(link, { leave: 'list' })));
  assert.deepEqual(await counts(), { unsubscribed: 1, opted_out: 0 });
  assert.equal((await changesOf(app, customer)).filter(({ change }) => change === 'left').length, 1);
  const pages = await Promise.all(Array.from({ length: 8 }, () => post(link, { leave: 'everything' })));
  assert.ok((await pages[0]?.text())?.includes('You get no more mail'));
  await oneClick(link);
  assert.deepEqual(await counts(), { unsubscribed: 0, opted_out: 1 });
  assert.equal((await changesOf(app, customer)).filter(({ change }) => change === 'opted_out').length, 1);
  assert.equal(await optedOut(personId), true);
  assert.equal((await suppressionsOf(app, customer)).length, 1);
});

test('an old link goes on working for whoever came back', async () => {
  const { personId, link } = await reader();
  await oneClick(link);
  await rowsOf(app, customer, `update subscriptions set unsubscribed_at = null, active = true where customer_id = $1`);
  await oneClick(link);
  assert.equal(await standing(app, customer, personId, listId), 'left');
  assert.deepEqual(await counts(), { unsubscribed: 1, opted_out: 0 });
});

test('the choice that the page leads to is that of the same person', async () => {
  const { link } = await reader();
  const page = await (await visit(link)).text();
  const [, onward] = /href="\.\/([\w-]+)"/.exec(page) ?? [];
  assert.equal((await visit(new URL(onward as string, link).href)).status, 200);
});

test('what retention has taken away leaves a friendly page, and does not tell a mail program that it worked', async () => {
  const { personId, link } = await reader();
  await asOwner(app, (client) => client.query('delete from subscribers where id = $1', [personId]));
  assert.equal((await oneClick(link)).status, 410, 'the person is gone, and so is what told their address');
  await asOwner(app, (client) => client.query('delete from campaign_mailing_sends'));
  assert.equal((await oneClick(link)).status, 410, 'so is the send');
  await asOwner(app, (client) => client.query('delete from mailing_recipients'));
  const pages = [await visit(link), await oneClick(link), await post(link, { leave: 'everything' })];
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 410, 410],
  );
  for (const page of pages) assert.match(await page.text(), /too old/);
});

test('without its send a mail still is a way out of everything', async () => {
  const { personId, link } = await reader();
  await asOwner(app, (client) => client.query('delete from campaign_mailing_sends'));
  await oneClick(link);
  assert.equal(await optedOut(personId), true);
});

test('forged tokens and tokens of another kind change nothing', async () => {
  const { personId, link, mailId } = await reader();
  const token = Buffer.from(link.slice(link.lastIndexOf('/') + 1), 'base64url');
  for (let at = 0; at < token.length; at += 1) {
    const forged = Buffer.from(token);
    forged[at] = (forged[at] as number) ^ 1;
    assert.equal((await oneClick(`${app.url}/t/${forged.toString('base64url')}`)).status, 404);
  }
  assert.equal((await oneClick(`${app.url}/t/${randomBytes(36).toString('base64url')}`)).status, 404);
  for (const kind of ['mailing-open', 'mailing-click', 'confirm', 'preferences'] as const) {
    assert.equal((await oneClick(await linkTo(app, kind, mailId))).status, 404, kind);
  }
  assert.equal(await standing(app, customer, personId, listId), 'on');
});

test("a link works for its own customer's person and for nobody else's", async () => {
  const one = await reader();
  const [first, firstList] = [customer, listId];
  const other = await reader();
  await post(one.link, { leave: 'everything' });
  assert.equal(await standing(app, first, one.personId, firstList), 'quiet');
  assert.equal(await standing(app, customer, other.personId, listId), 'on');
  assert.deepEqual(await suppressionsOf(app, customer), []);
  assert.equal((await suppressionsOf(app, first)).length, 1);
});

test('an opt-out outlives the person, and neither logs nor evidence hold the address', async () => {
  const { personId, link } = await reader();
  await post(link, { leave: 'everything' });
  await asOwner(app, (client) => client.query('delete from subscribers where id = $1', [personId]));
  await addPerson(app, customer, 'ann@EXAMPLE.com', listId);
  const address = encodeURIComponent('ANN@example.com');
  const { body } = await app.request('GET', `/v1/email/suppressions?address=${address}`, { key: customer.key });
  assert.deepEqual(
    body.data.map(({ reason }: { reason: string }) => reason),
    ['opt_out'],
  );
  assert.ok(
    !JSON.stringify(await changesOf(app, customer))
      .toLowerCase()
      .includes('ann@'),
  );
  assert.ok(!app.logged().toLowerCase().includes('ann@') && !app.logged().includes(link.slice(-40)));
});
