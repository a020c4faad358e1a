import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { mailingBounces } from '../../src/marketing/index.ts';
import { addList, addMailing, addPerson, ask, inbox, sendIn, startSend } from '../mailings/mailing.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { changesOf, oneClick, post, standing, suppressionsOf, visit } from './mailing.ts';

let app: TestApp;

before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

const EMAIL = 'Ann@example.com';

interface Mailed {
  customer: TestCustomer;
  listId: string;
  personId: string;
  /** The way out of the mail that they got. */
  link: string;
}

/** Somebody on a list who got a mail of a customer's own. */
async function reader(): Promise<Mailed> {
  const customer = await app.createCustomer();
  const listId = await addList(app, customer, []);
  const personId = await addPerson(app, customer, { email: EMAIL }, listId);
  await mailList(customer, listId);
  const [mail] = await inbox(app, customer);
  const [, token] = /\/t\/([\w-]+)/.exec(mail?.headers['List-Unsubscribe'] ?? '') ?? [];
  return { customer, listId, personId, link: `${app.url}/t/${token}` };
}

/** The same, deleted after it. */
async function deletedReader(): Promise<Mailed> {
  const mailed = await reader();
  await remove(mailed);
  return mailed;
}

const remove = ({ customer, personId }: Mailed) => ask(app, customer, 'DELETE', `/subscribers/${personId}`);

/** Gives somebody another address; answers whether the reply shows them as out. */
async function moveTo({ customer, personId }: Mailed, email: string): Promise<boolean> {
  const { status, body } = await ask(app, customer, 'PATCH', `/subscribers/${personId}`, { subscriber: { email } });
  assert.equal(status, 200);
  return body.data.attributes.unsubscribed;
}

async function isOut(customer: TestCustomer, personId: string): Promise<boolean> {
  return (await ask(app, customer, 'GET', `/subscribers/${personId}`)).body.data.attributes.unsubscribed;
}

async function optedOutAddresses(customer: TestCustomer): Promise<string[]> {
  const suppressed = await suppressionsOf(app, customer);
  return suppressed.flatMap(({ address, reason }) => (reason === 'opt_out' ? [String(address)] : [])).toSorted();
}

async function mailList(customer: TestCustomer, listId: string): Promise<void> {
  const send = await startSend(app, customer, await addMailing(app, customer), { subscription_list_id: listId });
  await sendIn(app, customer, send, 'finished');
}

test('who was deleted and leaves everything by an old mail gets no more when they are added again', async () => {
  const { customer, listId, link } = await deletedReader();
  assert.match(await (await visit(link)).text(), /Leave everything/);
  assert.match(await (await post(link, { leave: 'everything' })).text(), /You get no more mail/);
  const suppressed = await suppressionsOf(app, customer);
  assert.deepEqual(
    suppressed.map(({ address, reason }) => ({ address, reason })),
    [{ address: EMAIL, reason: 'opt_out' }],
  );
  await addPerson(app, customer, { email: 'ANN@example.com' }, listId);
  await mailList(customer, listId);
  assert.equal((await inbox(app, customer)).length, 1);
});

test('an address that has opted out stays out when somebody else gets it', async () => {
  const { customer, listId, link } = await deletedReader();
  await oneClick(link);
  await post(link, { leave: 'everything' });
  const personId = await addPerson(app, customer, { email: 'bob@example.com' }, listId);
  const bob = { customer, listId, personId, link };
  await moveTo(bob, 'robert@example.com');
  assert.equal(await isOut(customer, personId), false, 'an address that nobody has left');
  assert.equal(await standing(app, customer, personId, Number(listId)), 'on');
  assert.equal(await moveTo(bob, EMAIL.toUpperCase()), true);
  assert.equal(await isOut(customer, personId), true);
  assert.equal(await standing(app, customer, personId, Number(listId)), 'quiet', 'no list counts them any more');
  const [last] = (await changesOf(app, customer)).toReversed();
  assert.deepEqual([last?.change, last?.source, last?.list], ['opted_out', 'api', null]);
  await mailList(customer, listId);
  assert.equal((await inbox(app, customer)).length, 1);
});

test('who left everything before they were deleted comes back as opted out, by a form or as one of the addresses of a send', async () => {
  const { customer, listId, link } = await deletedReader();
  await post(link, { leave: 'everything' });
  const known = async (email: string) =>
    (await ask(app, customer, 'GET', `/subscribers?search=${email}`)).body.data[0] as
      | { id: string; attributes: { unsubscribed: boolean } }
      | undefined;

  const formId = await addForm(app, customer.id, { type: 'marketing_form', subscription_list_id: Number(listId) });
  for (const email of ['ann@EXAMPLE.com', 'cleo@example.com']) await submitted(app, formId, { form_data: { email } });
  const ann = await known(EMAIL);
  assert.equal(ann?.attributes.unsubscribed, true);
  assert.equal(await standing(app, customer, ann.id, Number(listId)), 'quiet', 'no list counts them');
  assert.equal((await known('cleo@example.com'))?.attributes.unsubscribed, false);

  await ask(app, customer, 'DELETE', `/subscribers/${ann?.id}`);
  const recipient_emails = [EMAIL, 'dan@example.com'];
  const send = await startSend(app, customer, await addMailing(app, customer), { recipient_emails });
  assert.equal((await known(EMAIL))?.attributes.unsubscribed, true);
  assert.equal((await known('dan@example.com'))?.attributes.unsubscribed, false);
  await sendIn(app, customer, send, 'finished');
  assert.deepEqual((await inbox(app, customer)).map(({ to }) => to.join()).toSorted(), [EMAIL, 'dan@example.com']);
});

test('who was added again meanwhile leaves by an old mail as they are now', async () => {
  const one = await deletedReader();
  const again = await addPerson(app, one.customer, { email: EMAIL }, one.listId);
  const page = await (await oneClick(one.link)).text();
  assert.match(page, /You have left the list/);
  assert.equal(await standing(app, one.customer, again, Number(one.listId)), 'left');
  const [, onward] = /href="\.\/([\w-]+)"/.exec(page) ?? [];
  assert.equal((await visit(new URL(onward as string, one.link).href)).status, 200);
  await post(one.link, { leave: 'everything' });
  assert.equal(await isOut(one.customer, again), true);
});

test('whose address changed after they opted out stays out at both when they are deleted and added again', async () => {
  const one = await reader();
  await post(one.link, { leave: 'everything' });
  await moveTo(one, 'bea@example.com');
  await remove(one);
  assert.deepEqual(await optedOutAddresses(one.customer), [EMAIL, 'bea@example.com']);
  const again = await addPerson(app, one.customer, { email: 'BEA@example.com' }, one.listId);
  assert.equal(await isOut(one.customer, again), true);
  const { customer } = await deletedReader();
  assert.deepEqual(await optedOutAddresses(customer), [], 'had not opted out');
});

test('the way out of a mail leads on to what its reader gets, but not whoever has their former address', async () => {
  const one = await reader();
  const onward = async (link: string) => {
    const [, token] = /href="\.\/([\w-]+)"/.exec(await (await visit(link)).text()) ?? [];
    return token === undefined ? null : `${app.url}/t/${token}`;
  };
  assert.notEqual(await onward(one.link), null);
  await moveTo(one, 'bea@example.com');
  assert.equal(await onward(one.link), null);
  await mailList(one.customer, one.listId);
  const newer = (await inbox(app, one.customer)).find(({ to }) => to.includes('bea@example.com'));
  const [, token] = /\/t\/([\w-]+)/.exec(newer?.headers['List-Unsubscribe'] ?? '') ?? [];
  const theirs = (await onward(`${app.url}/t/${token}`)) as string;
  await post(theirs, { want: 'nothing' });
  assert.match(await (await post(theirs, { want: 'again' })).text(), /Saved/);
});

test('who leaves everything by a mail to the address that they had is out under that one and the present one', async () => {
  const one = await reader();
  await moveTo(one, 'bea@example.com');
  await post(one.link, { leave: 'everything' });
  assert.equal(await isOut(one.customer, one.personId), true);
  assert.deepEqual(await optedOutAddresses(one.customer), [EMAIL, 'bea@example.com']);
  const again = await addPerson(app, one.customer, { email: EMAIL }, one.listId);
  assert.equal(await isOut(one.customer, again), true);
});

test('who was added again, but not to the list, leaves it all the same', async () => {
  const { customer, listId, link } = await deletedReader();
  const again = await addPerson(app, customer, { email: EMAIL });
  assert.match(await (await oneClick(link)).text(), /You have left the list/);
  const [last] = (await changesOf(app, customer)).toReversed();
  assert.deepEqual([last?.change, last?.source, last?.list], ['left', 'link', Number(listId)]);
  await addPerson(app, customer, { email: EMAIL }, listId);
  assert.equal(await standing(app, customer, again, Number(listId)), 'left');
  await mailList(customer, listId);
  assert.equal((await inbox(app, customer)).length, 1);
});

test('who was deleted and complains about an old mail gets no more either', async () => {
  const { customer } = await deletedReader();
  const { rows } = await asOwner(app, (client) =>
    client.query('select id from mailing_recipients where customer_id = $1', [customer.id]),
  );
  const complaint = { kind: 'complaint', addresses: [], status: null, words: '', remoteMta: null } as const;
  const report = mailingBounces(app.installation)['mailing-bounce'];
  await report(rows[0].id, [{ ...complaint, bounce: 'soft', fromNobody: true }]);
  const [suppressed] = await suppressionsOf(app, customer);
  assert.deepEqual([suppressed?.address, suppressed?.reason], [EMAIL, 'complaint']);
});

test('where nothing tells any more whom a mail went to, nobody is told that they are unsubscribed', async () => {
  const { link } = await deletedReader();
  await asOwner(app, (client) => client.query('delete from delivery_attempts'));
  for (const page of [await visit(link), await oneClick(link), await post(link, { leave: 'everything' })]) {
    assert.match(await page.text(), /too old/);
  }
});
