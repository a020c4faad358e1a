import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { readConsentStory } from '../../src/marketing/consent/story.ts';
import { openFields } from '../../src/marketing/fields/sealed-fields.ts';
import { linkTo, post as save } from '../consent/mailing.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';
import { createList, IMPORTS, importFile, people, settled } from './support.ts';

let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

async function undo(customer: TestCustomer, id: string) {
  const { status } = await app.request('POST', `${IMPORTS}/${id}/undo`, { key: customer.key });
  assert.equal(status, 200);
  return settled(app, customer, id);
}

const post = ({ key }: TestCustomer, subscriber: object) =>
  app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber } });

async function addField({ key }: TestCustomer, name: string, of: string): Promise<string> {
  const body = { name, class: of };
  return (await app.request('POST', '/v1/marketing/subscriber_custom_field_types', { key, body })).body.data.id;
}

/** What is known of the health of each, in the order of their addresses. */
async function healthOf(customer: TestCustomer): Promise<string[][]> {
  const keys = await app.installation.vault.of(customer.id);
  const known = await people(app, customer);
  return known.map(({ id, sealed_fields }) => Object.values(openFields(keys, id, sealed_fields)).toSorted());
}

const withoutTime = (person: object) => ({ ...person, updated_at: null });

test('an import is taken back whole', async () => {
  const customer = await app.createCustomer();
  const listId = await createList(app, customer);
  await importFile(app, customer, 'email,first_name,Ward\na@example.com,Ann,7\nb@example.com,Bob,\n');
  const earlier = (await people(app, customer)).map(withoutTime);
  const file =
    'email,first_name,Ward,Floor\na@example.com,Anna,8,2\nb@example.com,Bob,,\nc@example.com,Cid,1,1\nc@example.com,Cyd,1,1\n,+,,\n';
  const told = await importFile(app, customer, file, { subscription_list_id: String(listId) });
  assert.equal((await people(app, customer)).length, 3);
  const undone = await undo(customer, told.id);
  const { state, removed, restored, kept } = undone.attributes;
  assert.deepEqual({ state, removed, restored, kept }, { state: 'undone', removed: 1, restored: 1, kept: 0 });
  assert.deepEqual((await people(app, customer)).map(withoutTime), earlier);
  const again = await app.request('POST', `${IMPORTS}/${told.id}/undo`, { key: customer.key });
  assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
});

test('who is taken off a list by an undo has evidence of how they came there, with the words of that time', async () => {
  const customer = await app.createCustomer();
  const ask = (method: string, path: string, body?: object) =>
    app.request(method, `/v1/marketing/${path}`, { key: customer.key, ...(body && { body }) });
  const made = await ask('POST', 'subscription_lists', { name: 'News', consent_text: 'The first words.' });
  const listId = made.body.data.id as string;
  await post(customer, { email: 'a@example.com' });
  const told = await importFile(app, customer, 'email\na@example.com\nb@example.com\n', {
    subscription_list_id: listId,
  });
  const ids = (await people(app, customer)).map(({ id }) => id);
  await ask('PATCH', `subscription_lists/${listId}`, { consent_text: 'The second words.' });
  const storyOf = async (id: string) => {
    const story = await app.installation.db.tenant([customer.id], (tx) => readConsentStory(tx, customer.id, id));
    return story
      .filter(({ source }) => source === 'import')
      .map(({ change, listName, text, evidence }) => [change, listName, text, evidence.import]);
  };
  const joined = ['joined', 'News', 'The first words.', told.id];
  assert.deepEqual(await storyOf(ids[0] as string), [joined]);
  await undo(customer, told.id);
  await asOwner(app, (client) => client.query('delete from imports where id = $1', [told.id]));
  const taken = ['taken_back', 'News', 'The first words.', told.id];
  assert.deepEqual(await storyOf(ids[0] as string), [joined, taken]);
  const ofNew = (await storyOf(ids[1] as string)).filter(([, name]) => name !== 'All subscribers');
  assert.deepEqual(ofNew, [joined, taken, ['removed', null, null, told.id]], 'who is gone, too');
});

test('the words of an import are the evidence of whom it puts on lists, and outlive it', async () => {
  const customer = await app.createCustomer();
  const ask = (method: string, path: string, body?: object) =>
    app.request(method, `/v1/marketing/${path}`, { key: customer.key, ...(body && { body }) });
  const list = await ask('POST', 'subscription_lists', { name: 'News', consent_text: 'The words of the list.' });
  const wanted = { subscription_list_id: list.body.data.id, consent_text: ' Signed on paper. ', dry_run: 'true' };
  const { id } = await importFile(app, customer, 'email\na@example.com\n', wanted);
  const textsOf = () =>
    asOwner(app, (client) =>
      client.query('select text from consent_texts where customer_id = $1 order by id', [customer.id]),
    );
  assert.deepEqual((await textsOf()).rows, [{ text: 'The words of the list.' }], 'nobody is known by a dry run');
  await ask('POST', `imports/${id}/start`);
  await settled(app, customer, id);
  const [ann] = await people(app, customer);
  const storyOf = async () => {
    const { body } = await ask('GET', `subscribers/${ann?.id}/story`);
    return body.data.consent.map(({ change, subscription_list_name: name, text }: Record<string, string>) =>
      [change, name, text].join(': '),
    );
  };
  const joined = ['joined: News: Signed on paper.', 'joined: All subscribers: Signed on paper.'];
  assert.deepEqual((await storyOf()).slice(1), joined);
  await ask('PATCH', `subscribers/${ann?.id}`, { subscriber: { first_name: 'Ann' } });
  await undo(customer, id);
  await asOwner(app, (client) => client.query('delete from imports where id = $1', [id]));
  const told = (await storyOf()).filter((line: string) => line.endsWith('Signed on paper.'));
  assert.deepEqual(told, [...joined, ...joined.map((line) => line.replace('joined', 'taken_back'))]);
  assert.equal((await textsOf()).rows.length, 2, 'they are kept once');
});

test('what was changed since stays, as do opt-outs', async () => {
  const customer = await app.createCustomer();
  await importFile(app, customer, 'email,first_name,last_name,Ward\na@example.com,Ann,Lee,7\n');
  const told = await importFile(
    app,
    customer,
    'email,first_name,last_name,Ward,Floor\na@example.com,Anna,Li,8,1\ntouched@example.com,T,,,\nout@example.com,O,,,\n',
  );
  await post(customer, { email: 'a@example.com', last_name: 'Changed', custom_fields: [{ Floor: '9' }] });
  await post(customer, { email: 'touched@example.com', first_name: 'Touched' });
  const out = (await people(app, customer)).find(({ email }) => email === 'out@example.com')?.id as string;
  await app.installation.db.tenant([customer.id], (tx) =>
    sql`select opt_out(${customer.id}, ${[out]}::uuid[], 'api', '{}', now())`.execute(tx),
  );
  const { attributes } = await undo(customer, told.id);
  assert.deepEqual([attributes.removed, attributes.restored, attributes.kept], [0, 1, 2]);
  const after = new Map((await people(app, customer)).map((each) => [each.email, each]));
  const ann = after.get('a@example.com');
  assert.deepEqual([ann?.first_name, ann?.last_name, ann?.custom], ['Ann', 'Changed', { Ward: '7', Floor: '9' }]);
  assert.notEqual(after.get('out@example.com')?.unsubscribed_at, null);
  assert.equal(after.get('touched@example.com')?.first_name, 'Touched');
});

test('who left and came back by themselves stays, on the list that they chose', async () => {
  const customer = await app.createCustomer();
  const listId = await createList(app, customer);
  const file = 'email\nback@example.com\nagain@example.com\nnever@example.com\n';
  const told = await importFile(app, customer, file, { subscription_list_id: String(listId) });
  const [again, back] = await people(app, customer);
  const lists = back?.subscriptions.map((each) => String(each.subscription_list_id)) ?? [];
  const choose = async (id: string | undefined, wish: Record<string, string | string[]>) =>
    assert.equal((await save(await linkTo(app, 'preferences', id as string), wish)).status, 200);
  await choose(back?.id, { want: 'lists', 'lists[]': lists.filter((id) => id !== String(listId)) });
  await choose(back?.id, { want: 'lists', 'lists[]': lists });
  await choose(again?.id, { want: 'nothing' });
  await choose(again?.id, { want: 'again' });
  const { attributes } = await undo(customer, told.id);
  assert.deepEqual([attributes.removed, attributes.kept], [1, 2]);
  assert.deepEqual(
    (await people(app, customer)).map(({ email, subscriptions }) => [
      email,
      subscriptions
        .filter(({ active }) => active)
        .map((each) => each.subscription_list_id)
        .includes(listId),
    ]),
    [
      ['again@example.com', true],
      ['back@example.com', true],
    ],
  );
});

const [NUMBER, OTHER] = ['+14155550123', '+14155550124'];

const patch = ({ key }: TestCustomer, id: string | undefined, subscriber: object) =>
  app.request('PATCH', `/v1/marketing/subscribers/${id}`, { key, body: { subscriber } });

test('who is known by the number alone that an import brought keeps it, and everybody gets back the rest', async () => {
  const customer = await app.createCustomer();
  await importFile(app, customer, 'email,first_name\na@example.com,Ann\nb@example.com,Bob\n');
  const [ann] = await people(app, customer);
  const file = `email,phone,first_name\na@example.com,${NUMBER},Anna\nb@example.com,${OTHER},Bobby\n`;
  const told = await importFile(app, customer, file);
  assert.equal((await patch(customer, ann?.id, { email: null })).status, 200);
  const { attributes } = await undo(customer, told.id);
  assert.deepEqual([attributes.state, attributes.restored], ['undone', 2]);
  assert.deepEqual(
    (await people(app, customer)).map((each) => [each.email, each.phone_number, each.first_name]),
    [
      ['b@example.com', null, 'Bob'],
      [null, NUMBER, 'Ann'],
    ],
  );
});

test('who is known by the number alone that an import brought does not get back one that is somebody else’s by now', async () => {
  const customer = await app.createCustomer();
  await importFile(app, customer, `email,phone,first_name\na@example.com,${NUMBER},Ann\nb@example.com,,Bob\n`);
  const [ann] = await people(app, customer);
  const file = `email,phone,first_name\na@example.com,${OTHER},Anna\nb@example.com,,Bobby\n`;
  const told = await importFile(app, customer, file);
  assert.equal((await patch(customer, ann?.id, { email: null })).status, 200);
  assert.equal((await post(customer, { phone_number: NUMBER, first_name: 'Cid' })).status, 200);
  const { attributes } = await undo(customer, told.id);
  assert.deepEqual([attributes.state, attributes.restored], ['undone', 2]);
  assert.deepEqual(
    (await people(app, customer)).map((each) => `${each.first_name} ${each.email ?? each.phone_number}`).toSorted(),
    [`Ann ${OTHER}`, 'Bob b@example.com', `Cid ${NUMBER}`],
  );
});

test('of what is known of somebody’s health, too, only what was changed since stays', async () => {
  const customer = await app.createCustomer();
  await addField(customer, 'Diagnosis', 'phi');
  await addField(customer, 'Allergy', 'phi');
  await importFile(app, customer, 'email,first_name,Diagnosis,Allergy\na@example.com,Ann,flu,nuts\n');
  const told = await importFile(
    app,
    customer,
    'email,first_name,Diagnosis,Allergy\na@example.com,Anna,asthma,milk\nb@example.com,,,\n',
  );
  await post(customer, { email: 'a@example.com', custom_fields: [{ Allergy: 'eggs' }] });
  const { attributes } = await undo(customer, told.id);
  assert.equal(attributes.restored, 1);
  const [ann] = await people(app, customer);
  assert.equal(ann?.first_name, 'Ann');
  assert.deepEqual(await healthOf(customer), [['eggs', 'flu']]);
});

test('a field that becomes health data is sealed in what an undo stands on, which still gives it back', async () => {
  const customer = await app.createCustomer();
  const id = await addField(customer, 'Ward', 'personal');
  await importFile(app, customer, 'email,Ward\na@example.com,oncology\nb@example.com,\n');
  const told = await importFile(app, customer, 'email,Ward\na@example.com,cardiology\nb@example.com,surgery\n');
  const path = `/v1/marketing/subscriber_custom_field_types/${id}`;
  await app.request('PATCH', path, { key: customer.key, body: { class: 'phi' } });
  await eventually(async () => (await people(app, customer)).every(({ fields }) => Object.keys(fields).length === 0));
  const { rows } = await asOwner(app, (client) =>
    client.query('select c::text as kept from import_changes c where import_id = $1', [told.id]),
  );
  assert.equal(rows.length, 2);
  for (const { kept } of rows) assert.doesNotMatch(kept, /ology|surgery/);
  await undo(customer, told.id);
  assert.deepEqual(await healthOf(customer), [['oncology'], []]);
});

test('of whom nothing is given back is neither counted nor touched', async () => {
  const customer = await app.createCustomer();
  await importFile(app, customer, 'email,first_name\na@example.com,Ann\n');
  const told = await importFile(app, customer, 'email,first_name\na@example.com,Anna\n');
  await post(customer, { email: 'a@example.com', first_name: 'Anne' });
  const earlier = await people(app, customer);
  const { attributes } = await undo(customer, told.id);
  assert.equal(attributes.restored, 0);
  assert.deepEqual(await people(app, customer), earlier);
});

test('a dry run and an import under way cannot be undone; the log tells of undoing', async () => {
  const customer = await app.createCustomer();
  const dry = await importFile(app, customer, 'email\na@example.com\n', { dry_run: 'true' });
  const reply = await app.request('POST', `${IMPORTS}/${dry.id}/undo`, { key: customer.key });
  assert.equal(reply.status, 409);
  const told = await importFile(app, customer, 'email\na@example.com\n');
  await undo(customer, told.id);
  const { rows } = await asOwner(app, (client) =>
    client.query('select action from audit_log where customer_id = $1 and target = $2 order by id', [
      customer.id,
      told.id,
    ]),
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['import.created', 'import.finished', 'import.undone'],
  );
});
