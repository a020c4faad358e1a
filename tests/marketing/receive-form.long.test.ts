import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { type Marketing, marketingOf, refusalOf } from './support.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
let list: string;
let formId: string;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  list = await marketing.addList('News');
  formId = await addForm(app, customer.id, { subscription_list_id: Number(list) });
});

const receive = (body: object) => marketing.ask('POST', '/webhooks/receive_paubox_form', body);

test('whoever filled in a form is put on the list that it feeds', async () => {
  const given = [{ Ward: '7' }, [{ Ward: '7' }], [{ name: 'Ward', value: '7' }]];
  for (const [index, custom_fields] of given.entries()) {
    const email = `ann${index}@example.com`;
    const { status, body } = await receive({
      form_id: formId,
      email,
      first_name: 'Ann',
      last_name: 'Lee',
      custom_fields,
    });
    assert.deepEqual([status, body], [200, { success: true }]);
  }
  const { data } = await marketing.take('GET', `/subscribers?subscription_list_id=${list}`);
  assert.equal(data.length, 3);
  for (const { id } of data) {
    const { data: person } = await marketing.take('GET', `/subscribers/${id}`);
    assert.equal(person.attributes.full_name, 'Ann Lee');
    assert.equal(person.attributes.custom_fields[0].custom_field_value, '7');
    assert.equal(person.attributes.subscription_lists.length, 2);
  }
});

test('a known person who is not on the list joins it; one who is, or was, is refused', async () => {
  const ann = await marketing.addPerson('ann@example.com', { first_name: 'Ann', custom_fields: [{ Ward: '1' }] });
  const filled = { first_name: 'Eve', last_name: 'Else', custom_fields: { Ward: '9', Floor: '2' } };
  const body = { form_id: formId, email: 'ANN@example.com', ...filled };
  assert.equal((await receive(body)).status, 200);
  const { data } = await marketing.take('GET', `/subscribers/${ann}`);
  const { first_name: first, last_name: last, custom_fields: fields } = data.attributes;
  assert.deepEqual([first, last], ['Ann', null], 'who is known stays as they were');
  assert.deepEqual(
    fields.map(({ name, value }: { name: string; value: string }) => [name, value]),
    [['Ward', '1']],
  );
  assert.deepEqual(refusalOf(await receive(body)), [422, 'unprocessable', ['email']]);
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [ann], subscription_list_ids: [list] });
  assert.equal((await receive(body)).status, 422);
});

test('a form that is unknown, deleted or feeds nothing is not there, and another customer’s is refused', async () => {
  const email = 'ann@example.com';
  const without = await addForm(app, customer.id);
  const deleted = await addForm(app, customer.id, { subscription_list_id: Number(list) });
  assert.equal((await app.request('DELETE', `/v1/forms/api/forms/${deleted}`, { key: customer.key })).status, 200);
  const formerList = await marketing.addList('Former');
  const feedsNobody = await addForm(app, customer.id, { subscription_list_id: Number(formerList) });
  await marketing.take('DELETE', `/subscription_lists/${formerList}`);
  for (const form_id of [randomUUID(), 'malformed', '', without, deleted, feedsNobody]) {
    assert.equal((await receive({ form_id, email })).status, 404, form_id);
  }
  const other = await app.createCustomer();
  for (const subscription_list_id of [null, Number(list)]) {
    const form_id = await addForm(
      app,
      other.id,
      subscription_list_id === null
        ? {}
        : { subscription_list_id: Number(await marketingOf(app, other).addList('Theirs')) },
    );
    assert.equal((await receive({ form_id, email })).status, 403);
  }
  assert.deepEqual(await marketing.namesIn('/subscribers'), []);
});

test('an address is needed and has to be one', async () => {
  for (const email of [undefined, null, ' ', 'nobody', 'a@b@c']) {
    assert.deepEqual(refusalOf(await receive({ form_id: formId, email })), [422, 'unprocessable', ['email']]);
  }
  assert.deepEqual(refusalOf(await receive({ form_id: formId, email: 'a@example.com', custom_fields: [{ a: {} }] })), [
    400,
    'invalid_request',
    ['custom_fields[0]'],
  ]);
});
