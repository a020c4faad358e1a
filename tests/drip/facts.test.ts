import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { suppressMany } from '../../src/email/index.ts';
import { sealTarget } from '../../src/marketing/tracking/link-target.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { addMail, linkTo, oneClick, post, visit } from '../consent/mailing.ts';
import { type Marketing, marketingOf, rowsOf } from '../marketing/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { addInterestedDrip, takeFacts } from './facts.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
/** One that asks for no confirmation. */
let list: string;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  list = await marketing.addList('News');
});

const facts = () => takeFacts(app, customer);
const defaultList = async () => (await marketing.take('GET', '/subscription_lists/default')).data.id as string;

test('drips hear of who joins a list through any door, once', async () => {
  await addInterestedDrip(app, customer, ['joined', list]);
  const ann = await marketing.addPerson('ann@example.com', {}, list);
  assert.deepEqual(await facts(), [`joined ${list} ann`]);
  await marketing.addPerson('ann@example.com', { first_name: 'Ann' }, list);
  assert.deepEqual(await facts(), [], 'who is on it has not joined it');

  const [ben, cara] = [await marketing.addPerson('ben@example.com'), await marketing.addPerson('cara@example.com')];
  assert.deepEqual(await facts(), [], 'the default list is another');
  const lists = { subscription_list_ids: [list] };
  await marketing.take('POST', '/subscriptions/subscribe', { subscriber_ids: [ann, ben, cara], ...lists });
  assert.deepEqual((await facts()).toSorted(), [`joined ${list} ben`, `joined ${list} cara`]);

  const subscription = { subscription_list_id: list, subscriber_id: await marketing.addPerson('dora@example.com') };
  await marketing.take('POST', '/subscriptions', { subscription });
  assert.deepEqual(await facts(), [`joined ${list} dora`]);

  const subscribers = ['eve', 'ann', 'finn'].map((name) => ({ email: `${name}@example.com` }));
  await marketing.take('POST', '/subscribers_bulk_create', { subscribers, subscription_list_id: list });
  assert.deepEqual((await facts()).toSorted(), [`joined ${list} eve`, `joined ${list} finn`]);
});

test('each drip that somebody enters by it hears of it, and the others together once', async () => {
  const first = await addInterestedDrip(app, customer, ['joined', list, 'enters'], ['joined', list]);
  const second = await addInterestedDrip(app, customer, ['joined', list, 'enters']);
  await addInterestedDrip(app, customer, ['joined', list]);
  await marketing.addPerson('ann@example.com', {}, list);
  const entered = [first, second].map((drip) => `enter ${drip} ${list} ann`);
  assert.deepEqual((await facts()).toSorted(), [...entered, `joined ${list} ann`]);
});

test('who has to confirm joins when they do, also the default list that waited for it', async () => {
  const careful = await marketing.addList('Careful', { double_opt_in: true });
  const everybody = await defaultList();
  await addInterestedDrip(app, customer, ['joined', careful], ['joined', everybody]);
  const ann = await marketing.addPerson('ann@example.com', {}, careful);
  assert.deepEqual(await facts(), []);
  const [asked] = await rowsOf(
    app,
    'select id from subscriptions where subscriber_id = $1 and subscription_list_id = $2',
    [ann, careful],
  );
  const link = await linkTo(app, 'confirm', asked.id);
  await visit(link);
  assert.deepEqual(await facts(), [], 'looking confirms nothing');
  await Promise.all([post(link, { text: '' }), post(link, { text: '' })]);
  assert.deepEqual((await facts()).toSorted(), [`joined ${careful} ann`, `joined ${everybody} ann`].toSorted());
});

test('drips hear of who leaves a list and of who opts out, whichever way they do', async () => {
  const [ann, ben, cara, dora] = await Promise.all(
    ['ann', 'ben', 'cara', 'dora'].map((name) => marketing.addPerson(`${name}@example.com`, {}, list)),
  );
  await addInterestedDrip(app, customer, ['left', list], ['opted_out', '']);
  const mail = await addMail(app, customer, ann as string, { subscription_list_id: Number(list) });
  const wayOut = await linkTo(app, 'mailing-unsubscribe', mail.mailId);
  await oneClick(wayOut);
  await oneClick(wayOut);
  assert.deepEqual(await facts(), [`left ${list} ann`]);
  await post(await linkTo(app, 'preferences', ben as string), { want: 'nothing' });
  assert.ok((await facts()).includes('opted_out  ben'));
  await marketing.take('POST', '/subscriptions/unsubscribe', {
    subscriber_ids: [ann, cara],
    subscription_list_ids: [list],
  });
  assert.deepEqual(await facts(), [`left ${list} cara`]);
  await marketing.take('POST', '/subscriptions/bulk_global_unsubscribe', { subscriber_ids: [ben, dora] });
  assert.deepEqual(await facts(), ['opted_out  dora']);
});

test('drips hear of who is deleted or gets no more mail', async (t) => {
  const [ann, ben] = [await marketing.addPerson('ann@example.com'), await marketing.addPerson('ben@example.com')];
  await addInterestedDrip(app, customer, ['deleted', ''], ['suppressed', '']);
  const suppression = { address: 'ann@example.com', reason: 'manual' };
  const suppress = () => app.request('POST', '/v1/email/suppressions', { key: customer.key, body: suppression });
  await suppress();
  await suppress();
  const [told, ...more] = await facts();
  assert.match(told as string, /^suppressed [0-9a-f]{32}\/manual$/);
  assert.deepEqual(more, []);

  const { ownerUrl, log, vault, clock } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  const keys = await vault.of(customer.id);
  const bounce = { customerId: customer.id, reason: 'hard_bounce' as const, messageId: null, at: clock.now() };
  await db.tenant([customer.id], (tx) => suppressMany(tx, keys, { ...bounce, addresses: ['ben@example.com'] }));
  assert.match((await facts()).join(), /^suppressed [0-9a-f]{32}\/hard_bounce$/);

  await marketing.take('DELETE', `/subscribers/${ann}`);
  await marketing.take('DELETE', `/subscribers_bulk_delete?subscriber_ids=${ben}`);
  assert.deepEqual(await facts(), ['deleted ', 'deleted ']);
});

/** Somebody who got a mail with two links. */
async function reader() {
  const person = await marketing.addPerson('ann@example.com', {}, list);
  const mail = await addMail(app, customer, person, { subscription_list_id: Number(list) });
  const keys = await app.installation.vault.of(customer.id);
  for (const number of [0, 1]) {
    const sealed = sealTarget(keys, { sendId: mail.sendId, number }, `https://${number}.test/`);
    await asOwner(app, (client) =>
      client.query(
        'insert into tracking_links (customer_id, send_id, number, sealed, created_at) values ($1, $2, $3, $4, now())',
        [customer.id, mail.sendId, number, sealed],
      ),
    );
  }
  const link = (kind: 'mailing-open' | 'mailing-click', number = 0) => linkTo(app, kind, mail.mailId, number);
  return {
    ...mail,
    picture: await link('mailing-open'),
    links: [await link('mailing-click'), await link('mailing-click', 1)],
  };
}

test('drips hear of the first opening and the first click by a person, and of no machine', async () => {
  const { mailingId, picture, links } = await reader();
  await addInterestedDrip(app, customer, ['opened', String(mailingId)], ['clicked', String(mailingId)]);
  for (const url of [picture, ...links]) await visit(url, { 'user-agent': 'BarracudaCentral scanner' });
  assert.deepEqual(await facts(), []);
  await Promise.all([visit(picture), visit(picture), visit(picture)]);
  assert.deepEqual(await facts(), [`opened ${mailingId} ann`]);
  await Promise.all([...links, ...links].map((url) => visit(url)));
  assert.deepEqual(await facts(), [`clicked ${mailingId} ann`]);
});

test('what no drip of the customer waits for leaves no trace', async () => {
  const stranger = await app.createCustomer();
  const { mailingId, picture, links } = await reader();
  const ann = await marketing.addPerson('ann@example.com');
  const everything = [
    'joined',
    'left',
    'opened',
    'clicked',
    'form_submitted',
    'custom',
    'opted_out',
    'deleted',
    'suppressed',
  ];
  for (const subject of [list, String(mailingId), 'visited', '']) {
    await addInterestedDrip(app, stranger, ...everything.map((kind): [string, string] => [kind, subject]));
  }
  await addInterestedDrip(app, customer, ['joined', '999'], ['opened', '999'], ['custom', 'Visited']);
  for (const url of [picture, ...links]) await visit(url);
  await marketing.addPerson('ben@example.com', {}, list);
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [ann] });
  await app.request('POST', '/v1/email/suppressions', { key: customer.key, body: { address: 'ann@example.com' } });
  await marketing.take('DELETE', `/subscribers/${ann}`);
  assert.deepEqual([await facts(), await takeFacts(app, stranger)], [[], []]);
});
