import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { sealField } from '../../src/marketing/fields/seal-field.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type Marketing, marketingOf, refusalOf, rowsOf } from './support.ts';

const TYPES = '/subscriber_custom_field_types';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;

before(async (t) => {
  app = await startApp(t as TestContext, { env: { CAREPOST_ROLES: 'http,worker' } });
});

async function begin(): Promise<void> {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
}

async function fieldsOf(id: string): Promise<Record<string, string>> {
  const { data } = await marketing.take('GET', `/subscribers/${id}`);
  const named = data.attributes.custom_fields as { custom_field_name: string; custom_field_value: string }[];
  return Object.fromEntries(named.map((each) => [each.custom_field_name, each.custom_field_value]));
}

const addField = async (body: object) => (await marketing.take('POST', TYPES, body)).data;
const rowOf = async (id: string) =>
  (await rowsOf(app, `select s::text as plain, fields, sealed_fields from subscribers s where id = $1`, [id]))[0];

test('fields have a kind and a class, and are text and personal where nothing is said', async () => {
  await begin();
  const born = await addField({ name: 'Born', kind: 'date', class: 'none' });
  await marketing.addPerson('ann@example.com', { custom_fields: [{ Ward: '7' }] });
  const { data } = await marketing.take('GET', TYPES);
  assert.deepEqual(
    data.map((each: { attributes: object }) => each.attributes),
    [
      { name: 'Born', kind: 'date', class: 'none' },
      { name: 'Ward', kind: 'text', class: 'personal' },
    ],
  );
  assert.equal(data[0].id, born.id);
  assert.equal(data[0].type, 'subscriber_custom_field_type');
  const { data: renamed } = await marketing.take('PATCH', `${TYPES}/${born.id}`, { name: 'Birthday' });
  assert.deepEqual(renamed.attributes, { name: 'Birthday', kind: 'date', class: 'none' });
  const taken = await marketing.ask('PATCH', `${TYPES}/${born.id}`, { name: 'Ward' });
  assert.deepEqual(refusalOf(taken), [422, 'unprocessable', ['name']]);
  const wrong = await marketing.ask('POST', TYPES, { name: 'Other', kind: 'colour' });
  assert.deepEqual(refusalOf(wrong), [400, 'invalid_request', ['kind']]);
});

test('a field of somebody carries its name and its value under both names that clients read', async () => {
  await begin();
  const id = await marketing.addPerson('ann@example.com', { custom_fields: [{ name: 'Clinic', value: 'North' }] });
  const { data } = await marketing.take('GET', `/subscribers/${id}`);
  const [{ subscriber_custom_field_type_id: type, ...field }] = data.attributes.custom_fields;
  assert.equal(type, (await marketing.take('GET', TYPES)).data[0].id);
  assert.deepEqual(field, {
    custom_field_name: 'Clinic',
    custom_field_value: 'North',
    name: 'Clinic',
    value: 'North',
  });
});

test('a value that is not of its kind is refused without being told, and nobody is saved', async () => {
  await begin();
  await addField({ name: 'Born', kind: 'date' });
  await addField({ name: 'Age', kind: 'number' });
  await addField({ name: 'Smokes', kind: 'yes_no' });
  for (const [name, value] of Object.entries({ Born: '2001-02-30', Age: 'old', Smokes: 'maybe' })) {
    const subscriber = { email: 'ann@example.com', custom_fields: [{ [name]: value }] };
    const reply = await marketing.ask('POST', '/subscribers', { subscriber });
    assert.deepEqual(refusalOf(reply), [400, 'invalid_request', ['subscriber.custom_fields[0]']]);
    assert.ok(!reply.text.includes(value));
  }
  assert.deepEqual(await marketing.namesIn('/subscribers'), []);
  const id = await marketing.addPerson('ann@example.com', {
    custom_fields: [{ Born: '2001-02-28' }, { name: 'Age', value: 7.5 }, { Smokes: true }],
  });
  assert.deepEqual(await fieldsOf(id), { Born: '2001-02-28', Age: '7.5', Smokes: 'true' });
  await marketing.take('PATCH', `/subscribers/${id}`, {
    subscriber: { custom_fields: [{ Age: '' }, { Smokes: 'No' }] },
  });
  const changed = await marketing.ask('PATCH', `/subscribers/${id}`, {
    subscriber: { custom_fields: [{ Smokes: 'no' }, { Age: 'old' }] },
  });
  assert.deepEqual(refusalOf(changed), [400, 'invalid_request', ['subscriber.custom_fields[1]']]);
  assert.deepEqual(await fieldsOf(id), { Born: '2001-02-28', Smokes: 'false' });
});

test('what is known of somebody’s health is sealed at rest and shown to whoever has a key', async () => {
  await begin();
  const field = await addField({ name: 'Diagnosis', class: 'phi' });
  const id = await marketing.addPerson('ann@example.com', {
    custom_fields: [{ Diagnosis: 'xylophobia' }, { Ward: '7' }],
  });
  assert.deepEqual(await fieldsOf(id), { Diagnosis: 'xylophobia', Ward: '7' });
  const row = await rowOf(id);
  assert.deepEqual(Object.values(row.fields), ['7']);
  assert.ok(row.sealed_fields.length > 0);
  assert.ok(!row.plain.includes('xylophobia') && !row.plain.includes(Buffer.from('xylophobia').toString('hex')));
  await marketing.take('PATCH', `/subscribers/${id}`, { subscriber: { custom_fields: [{ Diagnosis: 'measles' }] } });
  assert.equal((await fieldsOf(id)).Diagnosis, 'measles');
  await marketing.take('DELETE', `${TYPES}/${field.id}`);
  assert.deepEqual(await fieldsOf(id), { Ward: '7' });
  assert.ok(!app.logged().includes('xylophobia') && !app.logged().includes('measles'));
});

test('a field that becomes health data is sealed by a job, and stays health data', async () => {
  await begin();
  const field = await addField({ name: 'Ward', class: 'none' });
  const people: string[] = [];
  for (const name of ['ann', 'bob', 'cy']) {
    const custom_fields = [{ Ward: `ward of ${name}` }, { Colour: 'red' }];
    people.push(await marketing.addPerson(`${name}@example.com`, { custom_fields }));
  }
  await marketing.take('PATCH', `${TYPES}/${field.id}`, { class: 'phi' });
  for (const [index, id] of people.entries()) {
    const row = await eventually(async () => {
      const found = await rowOf(id);
      return found.sealed_fields !== null && found;
    });
    assert.deepEqual(Object.values(row.fields), ['red']);
    assert.deepEqual(await fieldsOf(id), { Ward: `ward of ${['ann', 'bob', 'cy'][index]}`, Colour: 'red' });
  }
  for (const given of ['none', 'personal']) {
    const reply = await marketing.ask('PATCH', `${TYPES}/${field.id}`, { class: given });
    assert.deepEqual(refusalOf(reply), [409, 'conflict', ['class']]);
  }
});

test('a value that was sealed while its field was being sealed stays the newer one', async () => {
  await begin();
  const field = await addField({ name: 'Ward', class: 'phi' });
  const id = await marketing.addPerson('ann@example.com', { custom_fields: [{ Ward: 'new' }] });
  const { number } = (await rowsOf(app, 'select number from custom_field_types where id = $1', [field.id]))[0];
  await rowsOf(app, 'update subscribers set fields = jsonb_build_object($2::text, $3::text) where id = $1', [
    id,
    String(number),
    'old',
  ]);
  await sealField(app.installation, { customerId: customer.id, fieldId: field.id });
  assert.deepEqual(await fieldsOf(id), { Ward: 'new' });
  assert.deepEqual((await rowOf(id)).fields, {});
});

test('a customer has at most a thousand fields', async () => {
  await begin();
  await rowsOf(
    app,
    `insert into custom_field_types (id, customer_id, name, kind, class, created_at)
     select gen_random_uuid(), $1, 'field ' || n, 'text', 'none', now() from generate_series(1, 999) n`,
    [customer.id],
  );
  await addField({ name: 'the last' });
  assert.equal((await marketing.ask('POST', TYPES, { name: 'one more' })).status, 422);
  const subscriber = { email: 'ann@example.com', custom_fields: [{ 'one more': '1' }] };
  assert.deepEqual(refusalOf(await marketing.ask('POST', '/subscribers', { subscriber })), [
    422,
    'unprocessable',
    ['subscriber.custom_fields'],
  ]);
  await marketing.addPerson('ann@example.com', { custom_fields: [{ 'the last': '1' }] });
});
