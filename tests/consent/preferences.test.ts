import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addPerson, changesOf, linkTo, post, rowsOf, standing, suppressionsOf, visit } from './mailing.ts';

let app: TestApp;
let customer: TestCustomer;

before(async (t) => {
  app = await startApp(t as TestContext);
});

/** Somebody on two lists, beside the one that everybody is on. */
async function person() {
  customer = await app.createCustomer();
  const [news, events] = [await addList(app, customer), await addList(app, customer, { name: 'Events' })];
  await addList(app, customer, { name: 'Staff only' });
  const personId = await addPerson(app, customer, 'ann@example.com', news);
  await addPerson(app, customer, 'ann@example.com', events);
  const [row] = await rowsOf(
    app,
    customer,
    'select id::int from subscription_lists where customer_id = $1 and is_default',
  );
  return { personId, news, events, all: row?.id as number, link: await linkTo(app, 'preferences', personId) };
}

/** The lists that the page shows, and which of them are ticked. */
function boxesIn(page: string): Record<string, boolean> {
  const boxes = [...page.matchAll(/<label><input type="checkbox" name="lists\[\]" value="\d+"( checked)?>([^<]*)/g)];
  return Object.fromEntries(boxes.map(([, checked, name]) => [name as string, checked !== undefined]));
}

test('the page shows the lists that somebody is or was on, and not who they are', async () => {
  const { link } = await person();
  const page = await visit(link);
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.deepEqual(boxesIn(text), { 'All subscribers': true, Events: true, News: true });
  assert.ok(!/ann|<script/i.test(text.replaceAll(customer.username, '')));
  await visit(link, {}, 'HEAD');
  assert.deepEqual(
    (await changesOf(app, customer)).map(({ change }) => change),
    ['joined', 'joined', 'joined'],
  );
});

test('saving leaves what is not ticked and joins what is, once, with its evidence', async () => {
  const { personId, news, events, all, link } = await person();
  const saved = await post(link, { want: 'lists', 'lists[]': [String(all), String(events)] });
  assert.deepEqual(boxesIn(await saved.text()), { 'All subscribers': true, Events: true, News: false });
  assert.equal(await standing(app, customer, personId, news), 'left');
  const earlier = await changesOf(app, customer);
  assert.deepEqual(earlier.at(-1), { change: 'left', source: 'page', list: news, evidence: { how: 'page' } });
  await post(link, { want: 'lists', 'lists[]': [String(all), String(events)] });
  assert.equal((await changesOf(app, customer)).length, earlier.length, 'nothing changed');
  await post(link, { want: 'lists', 'lists[]': [String(all), String(news)] });
  assert.equal(await standing(app, customer, personId, news), 'on');
  assert.equal(await standing(app, customer, personId, events), 'left');
  await post(link, { want: 'lists' });
  assert.deepEqual(boxesIn(await (await visit(link)).text()), { 'All subscribers': false, Events: false, News: false });
});

test('lists that somebody never was on, and words that the page does not have, change nothing', async () => {
  const { news, events, all, link } = await person();
  const foreign = await addList(app, await app.createCustomer());
  const earlier = await changesOf(app, customer);
  const own = [news, events, all].map(String);
  const [staff] = await rowsOf(
    app,
    customer,
    `select id::text from subscription_lists where customer_id = $1
    and name = 'Staff only'`,
  );
  const odd = [staff?.id as string, String(foreign), '0', '-1', 'x', '1e9', ''];
  assert.equal((await post(link, { want: 'lists', 'lists[]': [...own, ...odd] })).status, 200);
  for (const form of [{}, { want: 'everything' }, { 'List-Unsubscribe': 'One-Click' }, { leave: 'everything' }]) {
    const answer = await post(link, form);
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /nothing has changed/);
  }
  assert.deepEqual(await changesOf(app, customer), earlier);
});

test('who is on more lists than other forms have fields leaves the one that they untick', async () => {
  const { personId, news, events, all, link } = await person();
  await asOwner(app, async (client) => {
    await client.query(
      `with made as (
         insert into subscription_lists (customer_id, name, is_default, created_at, updated_at)
         select $1, 'List ' || n, false, now(), now() from generate_series(1, 1500) n returning id
       )
       insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active)
       select gen_random_uuid(), $1, id, $2, now(), true from made`,
      [customer.id, personId],
    );
  });
  const boxes = [...(await (await visit(link)).text()).matchAll(/value="(\d+)" checked/g)].map(
    ([, id]) => id as string,
  );
  assert.equal(boxes.length, 1503);
  const kept = boxes.filter((id) => id !== String(news));
  assert.ok((await (await post(link, { want: 'lists', 'lists[]': kept })).text()).includes('Saved'));
  assert.equal(await standing(app, customer, personId, news), 'left');
  assert.equal(await standing(app, customer, personId, events), 'on');
  const unread = await post(link, { want: 'lists', more: Array.from({ length: 5_000 }, () => '1') });
  assert.equal(unread.status, 400);
  assert.equal(await standing(app, customer, personId, all), 'on');
});

test('no more mail at all, and the way back', async () => {
  const { personId, news, events, link } = await person();
  await post(link, { want: 'lists', 'lists[]': [String(news)] });
  const gone = await (await post(link, { want: 'nothing' })).text();
  assert.match(gone, /You get no mail/);
  assert.deepEqual(boxesIn(gone), {});
  assert.equal(await standing(app, customer, personId, news), 'quiet');
  assert.deepEqual(
    (await suppressionsOf(app, customer)).map(({ reason }) => reason),
    ['opt_out'],
  );
  await post(link, { want: 'lists', 'lists[]': [String(news), String(events)] });
  assert.equal(await standing(app, customer, personId, events), 'left', 'a page from before brings nobody back');
  const back = await post(link, { want: 'again' });
  assert.deepEqual(boxesIn(await back.text()), { 'All subscribers': false, Events: false, News: true });
  assert.equal(await standing(app, customer, personId, news), 'on');
  assert.deepEqual(await suppressionsOf(app, customer), []);
  const changes = (await changesOf(app, customer)).map(({ change }) => change);
  assert.deepEqual(changes.slice(-2), ['opted_out', 'opted_in']);
});

test('who opted out before they were deleted is shown as opted out, and comes back by their own choice only', async () => {
  const { personId, news, link } = await person();
  await post(link, { want: 'nothing' });
  await asOwner(app, async (client) => {
    await client.query('delete from subscriptions where subscriber_id = $1', [personId]);
    await client.query('delete from subscribers where id = $1', [personId]);
  });
  assert.equal((await visit(link)).status, 404, 'the person that the link was for is gone');
  const anew = await linkTo(app, 'preferences', await addPerson(app, customer, 'ann@example.com', news));
  assert.match(await (await visit(anew)).text(), /You get no mail/);
  await post(anew, { want: 'again' });
  assert.deepEqual(await suppressionsOf(app, customer), []);
  assert.ok(boxesIn(await (await visit(anew)).text()).News);
});

test('a list that asks for confirmation is confirmed by whoever ticks it: the link came by mail', async () => {
  const { personId } = await person();
  const careful = await addList(app, customer, { name: 'Careful', doubleOptIn: true });
  await addPerson(app, customer, 'ann@example.com', careful);
  const link = await linkTo(app, 'preferences', personId);
  assert.equal(boxesIn(await (await visit(link)).text()).Careful, false);
  await post(link, { want: 'lists', 'lists[]': [String(careful)] });
  assert.equal(await standing(app, customer, personId, careful), 'on');
  const [confirmed, ...rest] = (await changesOf(app, customer)).filter(({ change }) => change === 'confirmed');
  assert.deepEqual([confirmed?.list, rest], [careful, []]);
});

test('a link of an address that is theirs no more leaves lists, and neither joins any nor takes an opt-out back', async () => {
  const { personId, news, events, all, link } = await person();
  const careful = await addList(app, customer, { name: 'Careful', doubleOptIn: true });
  await addPerson(app, customer, 'ann@example.com', careful);
  const move = async (email: string) => {
    const body = { subscriber: { email } };
    const path = `/v1/marketing/subscribers/${personId}`;
    assert.equal((await app.request('PATCH', path, { key: customer.key, body })).status, 200);
  };
  await move('Ann@Example.com');
  await post(link, { want: 'nothing' });
  assert.match(await (await post(link, { want: 'again' })).text(), /Saved/, 'it is the same mailbox');

  await move('bea@example.com');
  const newer = await linkTo(app, 'preferences', personId, 1);
  await post(newer, { want: 'nothing' });
  assert.doesNotMatch(await (await visit(link)).text(), /Get mail again/);
  assert.doesNotMatch(await (await post(link, { want: 'again' })).text(), /Saved/);
  assert.equal((await suppressionsOf(app, customer)).length, 1);
  assert.match(await (await post(newer, { want: 'again' })).text(), /Saved/);
  assert.deepEqual(await suppressionsOf(app, customer), []);

  const ticked = [all, events, careful].map(String);
  const left = await (await post(link, { want: 'lists', 'lists[]': ticked })).text();
  assert.deepEqual(boxesIn(left), { 'All subscribers': true, Events: true });
  assert.equal(await standing(app, customer, personId, news), 'left');
  assert.equal(await standing(app, customer, personId, careful), 'pending', 'the new address has not confirmed it');
  await post(link, { want: 'lists', 'lists[]': [...ticked, String(news)] });
  assert.equal(await standing(app, customer, personId, news), 'left');
  await post(newer, { want: 'lists', 'lists[]': [...ticked, String(news)] });
  assert.equal(await standing(app, customer, personId, news), 'on');
  await post(link, { want: 'nothing' });
  assert.equal((await suppressionsOf(app, customer)).length, 1);
});

test('a person that exists nowhere is 404', async () => {
  const link = await linkTo(app, 'preferences', randomUUID());
  assert.equal((await visit(link)).status, 404);
  assert.equal((await post(link, { want: 'nothing' })).status, 404);
});
