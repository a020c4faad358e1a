import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setConsentText } from '../../src/marketing/consent/consent-text.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { IMPORTS, importFile, settled } from '../imports/support.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addPerson, changesOf, linkTo, post, rowsOf, standing, visit } from './mailing.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const WORDS = 'I want <news> & "offers" by mail.';
const clock = createMovableClock();

let app: TestApp;

before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
});

interface Mail {
  text: string;
  subject: string;
  headers: Record<string, string>;
}

async function mailsTo({ key }: TestCustomer, address: string): Promise<Mail[]> {
  const { body } = await app.request('GET', `/v1/email/sandbox/messages?to=${address}`, { key });
  return body.data;
}

/** The mails to an address, once there are as many. */
const mailed = (customer: TestCustomer, address: string, count = 1) =>
  eventually(async () => {
    const mails = await mailsTo(customer, address);
    return mails.length >= count && mails;
  });

function linkIn({ text }: Mail): string {
  const [, path] = /(\/t\/[\w-]+)/.exec(text) ?? [];
  return `${app.url}${path}`;
}

/** Waits until no confirmation is to be sent any more. */
async function jobsDone(): Promise<void> {
  await eventually(async () => {
    const { rows } = await asOwner(app, (client) =>
      client.query(`select from graphile_worker.jobs where task_identifier = 'marketing.confirm' limit 1`),
    );
    return rows.length === 0;
  });
  await sleep(100);
}

async function careful() {
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, { name: 'Careful\nnews', doubleOptIn: true });
  await app.installation.db.tenant([customer.id], (tx) =>
    setConsentText(tx, systemClock, { customerId: customer.id, listId }, WORDS),
  );
  return { customer, listId };
}

/** The form's field with which the page says which words it showed. */
async function shownText(link: string): Promise<string> {
  const [, value = ''] = /name="text" value="(\d*)"/.exec(await (await visit(link)).text()) ?? [];
  return value;
}

const confirm = async (link: string) => post(link, { text: await shownText(link) });

test('who joins through the API is asked by mail, and is on the list once they say so by a POST', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'ann@example.com', listId);
  assert.equal(await standing(app, customer, personId, listId), 'pending');
  const [mail, ...rest] = (await mailed(customer, 'ann@example.com')) as [Mail];
  assert.deepEqual(rest, []);
  assert.equal(mail.subject, 'Please confirm: Careful news');
  assert.ok(mail.headers.From?.includes(customer.username) && mail.text.includes(WORDS));
  assert.equal(mail.headers['Auto-Submitted'], 'auto-generated');
  const link = linkIn(mail);

  const page = await visit(link);
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.ok(text.includes('I want &lt;news&gt; &amp; &quot;offers&quot; by mail.') && !text.includes('ann@'));
  for (const agent of ['Mozilla/5.0', 'BarracudaCentral scanner']) await visit(link, { 'user-agent': agent });
  await visit(link, {}, 'HEAD');
  assert.equal(await standing(app, customer, personId, listId), 'pending');

  await Promise.all([confirm(link), confirm(link), confirm(link)]);
  assert.equal(await standing(app, customer, personId, listId), 'on');
  const changes = (await changesOf(app, customer)).filter(({ list }) => list === listId);
  assert.deepEqual(changes.map(({ change, source }) => `${change} ${source}`).toSorted(), [
    'asked api',
    'confirmation_sent link',
    'confirmed page',
  ]);
  const confirmed = changes.find(({ change }) => change === 'confirmed')?.evidence;
  assert.deepEqual([confirmed?.how, typeof confirmed?.text], ['page', 'number']);
  assert.match(await (await visit(link)).text(), /You are on the list/);
});

test('who joins by a form is asked too, and the job names ids only', async () => {
  const { customer, listId } = await careful();
  const formId = await addForm(app, customer.id, { type: 'marketing_form', subscription_list_id: listId });
  await submitted(app, formId, { form_data: { email: 'ben@example.com', first_name: 'Ben' } });
  const [mail] = (await mailed(customer, 'ben@example.com')) as [Mail];
  await confirm(linkIn(mail));
  const [person] = await rowsOf(app, customer, 'select id from subscribers where customer_id = $1');
  assert.equal(await standing(app, customer, person?.id as string, listId), 'on');
  const [asked] = (await changesOf(app, customer)).filter(({ change }) => change === 'asked');
  assert.deepEqual([asked?.source, asked?.evidence.form], ['form', formId]);
  assert.ok(!app.logged().includes('ben@example.com'));
});

test('whom an import puts on the list waits for the default list as well, and one confirmation counts for both', async () => {
  const { customer, listId } = await careful();
  const known = await addPerson(app, customer, 'known@example.com');
  const file = 'email\nada@example.com\nbea@example.com\nknown@example.com\n';
  const told = await importFile(app, customer, file, { subscription_list_id: String(listId) });
  const [ada, bea] = (
    await rowsOf(
      app,
      customer,
      `select id from subscribers where customer_id = $1 and email <> 'known@example.com' order by email`,
    )
  ).map(({ id }) => id as string) as [string, string];
  const [{ id: everybody }] = (await rowsOf(
    app,
    customer,
    'select id::int from subscription_lists where customer_id = $1 and is_default',
  )) as [{ id: number }];
  const standings = async () =>
    Promise.all(
      [ada, bea, known].map(async (person) => [
        await standing(app, customer, person, listId),
        await standing(app, customer, person, everybody),
      ]),
    );
  assert.deepEqual(await standings(), [
    ['pending', 'pending'],
    ['pending', 'pending'],
    ['pending', 'on'],
  ]);

  await mailed(customer, 'ada@example.com');
  await jobsDone();
  const [mail, ...rest] = (await mailsTo(customer, 'ada@example.com')) as [Mail];
  assert.deepEqual([mail.subject, rest], ['Please confirm: Careful news', []]);
  await confirm(linkIn(mail));
  assert.deepEqual((await standings())[0], ['on', 'on']);

  await app.request('POST', `${IMPORTS}/${told.id}/undo`, { key: customer.key });
  const { removed, kept } = (await settled(app, customer, told.id)).attributes;
  assert.deepEqual([removed, kept], [1, 1]);
  assert.deepEqual(await standings(), [
    ['on', 'on'],
    ['nowhere', 'nowhere'],
    ['nowhere', 'on'],
  ]);
});

test('whoever asks again is asked again, at most once a day', async () => {
  const { customer, listId } = await careful();
  for (let times = 0; times < 3; times += 1) await addPerson(app, customer, 'cara@example.com', listId);
  await mailed(customer, 'cara@example.com');
  clock.advance(DAY - HOUR);
  await addPerson(app, customer, 'cara@example.com', listId);
  await jobsDone();
  assert.equal((await mailsTo(customer, 'cara@example.com')).length, 1);
  clock.advance(HOUR);
  await addPerson(app, customer, 'cara@example.com', listId);
  const [one, other] = (await mailed(customer, 'cara@example.com', 2)) as [Mail, Mail];
  assert.equal(linkIn(one), linkIn(other), 'both mails confirm the same');
  await confirm(linkIn(one));
  clock.advance(DAY);
  await addPerson(app, customer, 'cara@example.com', listId);
  await jobsDone();
  assert.equal((await mailsTo(customer, 'cara@example.com')).length, 2, 'who is on the list is asked no more');
});

test('a link that was used is spent: it confirms nothing again once they left and are asked anew', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'fay@example.com', listId);
  const [first] = (await mailed(customer, 'fay@example.com')) as [Mail];
  const text = await shownText(linkIn(first));
  const again = async () => (await post(linkIn(first), { text })).text();
  const confirmations = async () =>
    (await changesOf(app, customer)).filter(({ change }) => change === 'confirmed').length;
  const ask = async (what: 'subscribe' | 'unsubscribe') => {
    const body = { subscriber_ids: [personId], subscription_list_ids: [listId] };
    const { status } = await app.request('POST', `/v1/marketing/subscriptions/${what}`, { key: customer.key, body });
    assert.equal(status, 200);
  };
  await again();
  assert.match(await again(), /You are on the list/);
  await ask('unsubscribe');
  assert.match(await again(), /You are not on the list/);
  assert.equal(await standing(app, customer, personId, listId), 'left');

  await ask('subscribe');
  assert.match(await (await visit(linkIn(first))).text(), /This link is spent/);
  assert.match(await again(), /This link is spent/);
  assert.equal(await standing(app, customer, personId, listId), 'pending');
  assert.equal(await confirmations(), 1);
  const mails = await mailed(customer, 'fay@example.com', 2);
  const newer = mails.map(linkIn).find((link) => link !== linkIn(first)) as string;
  await confirm(newer);
  assert.equal(await standing(app, customer, personId, listId), 'on');
  assert.match(await again(), /You are on the list/);
  assert.equal(await confirmations(), 2);
});

test('whom a node of the version before asked again gets a mail that confirms, by a POST and once a day', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'ida@example.com', listId);
  const [first] = (await mailed(customer, 'ida@example.com')) as [Mail];
  const link = linkIn(first);
  await confirm(link);
  const body = { subscriber_ids: [personId], subscription_list_ids: [listId] };
  for (const what of ['unsubscribe', 'subscribe']) {
    await app.request('POST', `/v1/marketing/subscriptions/${what}`, { key: customer.key, body });
  }
  await mailed(customer, 'ida@example.com', 2);
  await jobsDone();
  await asOwner(app, (client) =>
    client.query(`update consent_changes set evidence = evidence - 'link' where customer_id = $1`, [customer.id]),
  );

  assert.match(await (await visit(link)).text(), /This link is spent[\s\S]*Send me a new mail/);
  await jobsDone();
  assert.equal((await mailsTo(customer, 'ida@example.com')).length, 2, 'machines follow links');
  for (let times = 0; times < 2; times += 1) {
    assert.match(await (await post(link)).text(), /You get a new mail/);
    await jobsDone();
  }
  const mails = await mailsTo(customer, 'ida@example.com');
  assert.equal(mails.length, 3);
  assert.equal(await standing(app, customer, personId, listId), 'pending');
  await confirm(mails.map(linkIn).find((each) => each !== link) as string);
  assert.equal(await standing(app, customer, personId, listId), 'on');
  await post(link);
  await jobsDone();
  assert.equal((await mailsTo(customer, 'ida@example.com')).length, 3, 'who is on the list is asked no more');
});

test('an address that changed is asked itself, and the link that the old one has confirms nothing', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'gail@example.com', listId);
  const [old] = (await mailed(customer, 'gail@example.com')) as [Mail];
  const text = await shownText(linkIn(old));
  const change = async (email: string) => {
    const path = `/v1/marketing/subscribers/${personId}`;
    const { status } = await app.request('PATCH', path, { key: customer.key, body: { subscriber: { email } } });
    assert.equal(status, 200);
    await jobsDone();
  };
  await change('Gail@Example.com');
  assert.equal((await visit(linkIn(old))).status, 200, 'it is the same mailbox');
  assert.equal((await mailsTo(customer, 'gail@example.com')).length, 1);

  await change('gail@example.net');
  assert.equal((await post(linkIn(old), { text })).status, 404);
  assert.equal(await standing(app, customer, personId, listId), 'pending');
  const [asked, ...rest] = (await mailed(customer, 'gail@example.net')) as [Mail];
  assert.deepEqual(rest, []);
  await addPerson(app, customer, 'gail@example.net', listId);
  await jobsDone();
  assert.equal((await mailsTo(customer, 'gail@example.net')).length, 1, 'it is asked once a day too');
  await confirm(linkIn(asked));
  assert.equal(await standing(app, customer, personId, listId), 'on');

  await change('gail@example.org');
  assert.equal(await standing(app, customer, personId, listId), 'on');
  assert.deepEqual(await mailsTo(customer, 'gail@example.org'), [], 'what was confirmed is not asked again');
});

test('what was left before the address changed is not confirmed by the old one when it is asked for again', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'hal@example.com', listId);
  const [old] = (await mailed(customer, 'hal@example.com')) as [Mail];
  const text = await shownText(linkIn(old));
  const { key } = customer;
  const lists = { subscriber_ids: [personId], subscription_list_ids: [listId] };
  await app.request('POST', '/v1/marketing/subscriptions/unsubscribe', { key, body: lists });
  const body = { subscriber: { email: 'hal@example.net' } };
  await app.request('PATCH', `/v1/marketing/subscribers/${personId}`, { key, body });
  await app.request('POST', '/v1/marketing/subscriptions/subscribe', { key, body: lists });
  assert.equal((await post(linkIn(old), { text })).status, 404);
  assert.equal(await standing(app, customer, personId, listId), 'pending');
  await confirm(linkIn(((await mailed(customer, 'hal@example.net')) as [Mail])[0]));
  assert.equal(await standing(app, customer, personId, listId), 'on');
});

test('who opted out, now or before they were deleted, is not asked', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'dora@example.com');
  await post(await linkTo(app, 'preferences', personId), { want: 'nothing' });
  await addPerson(app, customer, 'dora@example.com', listId);
  await jobsDone();
  await asOwner(app, async (client) => {
    await client.query('delete from subscriptions where subscriber_id = $1', [personId]);
    await client.query('delete from subscribers where id = $1', [personId]);
  });
  await addPerson(app, customer, 'dora@example.com', listId);
  await jobsDone();
  assert.deepEqual(await mailsTo(customer, 'dora@example.com'), []);
});

test('who gets no mail at all is not asked, and nothing says that they were', async () => {
  const { customer, listId } = await careful();
  const stop = { key: customer.key, body: { address: 'emil@example.com' } };
  assert.equal((await app.request('POST', '/v1/email/suppressions', stop)).status, 200);
  await addPerson(app, customer, 'emil@example.com', listId);
  await jobsDone();
  assert.ok(!(await changesOf(app, customer)).some(({ change }) => change === 'confirmation_sent'));
});

test('words that changed since the page was shown are shown again before they count', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'eve@example.com', listId);
  const [mail] = (await mailed(customer, 'eve@example.com')) as [Mail];
  const link = linkIn(mail);
  const text = await shownText(link);
  await app.installation.db.tenant([customer.id], (tx) =>
    setConsentText(tx, systemClock, { customerId: customer.id, listId }, 'Other words.'),
  );
  assert.match(await (await post(link, { text })).text(), /Other words\./);
  assert.equal((await post(link)).status, 200);
  assert.equal(await standing(app, customer, personId, listId), 'pending');
  await confirm(link);
  assert.equal(await standing(app, customer, personId, listId), 'on');
});

test('a confirmation after leaving, and for what exists nowhere, confirms nothing', async () => {
  const { customer, listId } = await careful();
  const personId = await addPerson(app, customer, 'finn@example.com', listId);
  const [mail] = (await mailed(customer, 'finn@example.com')) as [Mail];
  const text = await shownText(linkIn(mail));
  await asOwner(app, (client) =>
    client.query('update subscriptions set pending = false, unsubscribed_at = now() where subscription_list_id = $1', [
      listId,
    ]),
  );
  assert.match(await (await post(linkIn(mail), { text })).text(), /Nothing to confirm/);
  assert.equal(await standing(app, customer, personId, listId), 'left');
  const nowhere = await linkTo(app, 'confirm', randomUUID());
  assert.deepEqual([(await visit(nowhere)).status, (await post(nowhere, { text })).status], [404, 404]);
});
