import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { type Marketing, marketingOf } from '../marketing/support.ts';
import { submit, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { addInterestedDrip, takeFacts, whileRefusing } from './facts.ts';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
let list: string;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  list = await marketing.addList('News');
});

const facts = async () => (await takeFacts(app, customer)).toSorted();
const feedingForm = () => addForm(app, customer.id, { subscription_list_id: Number(list) });
const fillIn = (formId: string, answers: object) => submitted(app, formId, { form_data: answers });

test('whoever a form adds to a list has submitted it, new or known, by address or by number', async () => {
  const formId = await feedingForm();
  await addInterestedDrip(app, customer, ['form_submitted', formId]);
  await fillIn(formId.toUpperCase(), { email: 'ann@example.com' });
  assert.deepEqual(await facts(), [`form_submitted ${formId} ann`]);
  await fillIn(formId, { email: 'ANN@example.com' });
  assert.deepEqual(await facts(), [`form_submitted ${formId} ann`], 'each submission is one');
  await fillIn(formId, { phone: '+1 415 555 0123' });
  assert.deepEqual(await facts(), [`form_submitted ${formId}`]);
  await fillIn(formId, { name: 'nobody who could be reached' });
  assert.deepEqual(await facts(), []);
});

test('whoever fills in a form that feeds no list is told of where they are known already', async () => {
  const intake = await addForm(app, customer.id);
  const survey = await addForm(app, customer.id, { subscription_list_id: Number(list), type: 'survey' });
  await addInterestedDrip(app, customer, ['form_submitted', intake], ['form_submitted', survey]);
  await marketing.addPerson('Ann@example.com');
  for (const formId of [intake, survey]) {
    await fillIn(formId, { email: 'ANN@EXAMPLE.com' });
    assert.deepEqual(await facts(), [`form_submitted ${formId} Ann`]);
    for (const email of ['stranger@example.com', 'no address', '']) await fillIn(formId, { email });
    await fillIn(formId, { name: 'Ann' });
    assert.deepEqual(await facts(), []);
  }
  const unawaited = await addForm(app, customer.id);
  await fillIn(unawaited, { email: 'ann@example.com' });
  assert.deepEqual(await facts(), []);
});

test('who waits for any form is told of each, once, and of which form it was', async () => {
  const [feeding, intake] = [await feedingForm(), await addForm(app, customer.id)];
  await addInterestedDrip(app, customer, ['form_submitted', ''], ['form_submitted', feeding]);
  await addInterestedDrip(app, customer, ['form_submitted', '']);
  for (const formId of [feeding, intake]) {
    await fillIn(formId, { email: 'ann@example.com' });
    assert.deepEqual(await facts(), [`form_submitted ${formId} ann`]);
  }
  const stranger = await app.createCustomer();
  await fillIn(await addForm(app, stranger.id), { email: 'ann@example.com' });
  assert.deepEqual(await facts(), []);
});

test('submissions that arrive together are each told of once', async () => {
  const [one, other, intake] = [await feedingForm(), await feedingForm(), await addForm(app, customer.id)];
  const stranger = await app.createCustomer();
  const foreign = await addForm(app, stranger.id);
  await addInterestedDrip(app, customer, ...[one, other, intake, foreign].map(interestIn));
  await marketing.addPerson('ann@example.com');
  const forms = [one, other, intake, foreign, one, other, intake, foreign, one];
  await Promise.all(forms.map((formId) => fillIn(formId, { email: 'ann@example.com' })));
  const wanted = forms.filter((formId) => formId !== foreign).map((formId) => `form_submitted ${formId} ann`);
  assert.deepEqual(await facts(), wanted.toSorted());
  assert.deepEqual(await takeFacts(app, stranger), []);
});

const interestIn = (formId: string): [string, string] => ['form_submitted', formId];

test('a submission that is not kept is not told of, nor is one that comes twice under its key', async () => {
  const [feeding, intake] = [await feedingForm(), await addForm(app, customer.id)];
  await addInterestedDrip(app, customer, interestIn(feeding), interestIn(intake), ['joined', list]);
  await marketing.addPerson('ann@example.com');
  const body = { form_data: { email: 'ann@example.com' } };
  await whileRefusing(app, 'form_counts', 'submission_count', async () => {
    for (const formId of [feeding, intake]) assert.equal((await submit(app, formId, body)).status, 500);
  });
  assert.deepEqual(await facts(), []);
  for (const formId of [feeding, feeding, intake, intake]) {
    await submitted(app, formId, body, { 'idempotency-key': `once ${formId}` });
  }
  const each = [feeding, intake].map((formId) => `form_submitted ${formId} ann`);
  assert.deepEqual(await facts(), [...each, `joined ${list} ann`].toSorted());
});

test('whoever filled in a form that is shown elsewhere has submitted it, unless that is refused', async () => {
  const formId = await feedingForm();
  await addInterestedDrip(app, customer, interestIn(formId));
  const body = { form_id: formId.toUpperCase(), email: 'ann@example.com' };
  const receive = () => marketing.ask('POST', '/webhooks/receive_paubox_form', body);
  assert.equal((await receive()).status, 200);
  assert.deepEqual(await facts(), [`form_submitted ${formId} ann`]);
  assert.equal((await receive()).status, 422);
  assert.deepEqual(await facts(), []);
});
