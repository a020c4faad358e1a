import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { setConsentText } from '../../src/marketing/consent/consent-text.ts';
import { readConsentStory } from '../../src/marketing/consent/story.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';
import { addList, addPerson, linkTo, post, rowsOf } from './mailing.ts';

let app: TestApp;
let customer: TestCustomer;

before(async (t) => {
  app = await startApp(t as TestContext);
});

const setText = (listId: number, text: string | null) =>
  app.installation.db.tenant([customer.id], (tx) =>
    setConsentText(tx, systemClock, { customerId: customer.id, listId }, text),
  );

const storyOf = (personId: string, { id }: TestCustomer = customer) =>
  app.installation.db.tenant([id], (tx) => readConsentStory(tx, id, personId));

test('a story tells every change in order, with the words as they were at the time', async () => {
  customer = await app.createCustomer();
  const listId = await addList(app, customer);
  await setText(listId, 'The first words.');
  const personId = await addPerson(app, customer, 'ann@example.com', listId);
  await setText(listId, 'The second words.');
  const link = await linkTo(app, 'preferences', personId);
  await post(link, { want: 'lists' });
  await post(link, { want: 'lists', 'lists[]': String(listId) });
  await post(link, { want: 'nothing' });
  await post(link, { want: 'again' });
  const story = await storyOf(personId);
  assert.deepEqual(
    story.map(({ change, source, listName, text }) => [change, source, listName, text]),
    [
      ['joined', 'api', 'News', 'The first words.'],
      ['joined', 'api', 'All subscribers', null],
      ['left', 'page', 'News', 'The second words.'],
      ['left', 'page', 'All subscribers', null],
      ['joined', 'page', 'News', 'The second words.'],
      ['opted_out', 'page', null, null],
      ['opted_in', 'page', null, null],
    ],
  );
  assert.ok(story.every(({ at }) => at instanceof Date));
  const other = await app.createCustomer();
  assert.deepEqual(await storyOf(personId, other), [], 'nobody else can read it');
});

test('a text is kept for each change of it, and only then', async () => {
  customer = await app.createCustomer();
  const listId = await addList(app, customer);
  for (const text of ['One.', ' One. ', 'Two.', null, null, '', 'One.']) await setText(listId, text);
  const kept = () =>
    rowsOf(app, customer, 'select id::int, text from consent_texts where customer_id = $1 order by id');
  assert.deepEqual(
    (await kept()).map(({ text }) => text),
    ['One.', 'Two.', 'One.'],
  );
  const [list] = await rowsOf(
    app,
    customer,
    'select consent_text_id::int as id from subscription_lists where customer_id = $1',
  );
  assert.equal(list?.id, (await kept()).at(-1)?.id);
});

/** Somebody whom an import of the first day of the year has put on a list. */
async function importSomebody(): Promise<{ listId: number; personId: string; importId: string }> {
  customer = await app.createCustomer();
  const listId = await addList(app, customer);
  const personId = await addPerson(app, customer, 'ann@example.com');
  const importId = await asOwner(app, async (client) => {
    const { rows } = await client.query(
      `insert into imports (id, customer_id, state, dry_run, settings, bytes, created_at, updated_at)
       values (gen_random_uuid(), $1, 'done', false, '{}', 1, '2026-01-01', now()) returning id`,
      [customer.id],
    );
    const id = rows[0]?.id as string;
    await client.query(`update subscribers set import_id = $1, created_at = '2026-01-01T00:00Z' where id = $2`, [
      id,
      personId,
    ]);
    await client.query(
      `insert into subscriptions (id, customer_id, subscription_list_id, subscriber_id, created_at, active, import_id)
       values (gen_random_uuid(), $1, $2, $3, '2026-01-01T00:00Z', true, $4)`,
      [customer.id, listId, personId, id],
    );
    return id;
  });
  return { listId, personId, importId };
}

const remove = async (path: string) =>
  assert.equal((await app.request('DELETE', `/v1/marketing/${path}`, { key: customer.key })).status, 200);

test('who came by an import is told by the import', async () => {
  const { personId, importId } = await importSomebody();
  const told = (await storyOf(personId)).filter(({ source }) => source === 'import');
  assert.deepEqual(
    told.map(({ change, listName, evidence }) => [change, listName, evidence.import]),
    [
      ['imported', null, importId],
      ['joined', 'News', importId],
    ],
  );
  assert.ok(told.every(({ evidence }) => String(evidence.imported_at).startsWith('2026-01-01')));
});

test('how somebody came by an import is told once, also when the list is gone and when they are removed', async () => {
  for (const gone of ['list', 'person', 'both']) {
    const { listId, personId, importId } = await importSomebody();
    if (gone !== 'person') await remove(`subscription_lists/${listId}`);
    if (gone !== 'list') await remove(`subscribers/${personId}`);
    const story = await storyOf(personId);
    const [joined, ...more] = story.filter(({ change, source }) => change === 'joined' && source === 'import');
    assert.deepEqual([joined?.listId, joined?.evidence.import, more], [listId, importId, []], gone);
    assert.equal(joined?.at.getTime(), Date.parse('2026-01-01T00:00Z'), gone);
    assert.equal(
      story.some(({ change }) => change === 'removed'),
      gone !== 'list',
      gone,
    );
  }
});
