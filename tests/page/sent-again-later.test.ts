import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import type { Task } from '../../src/platform/jobs/runner.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';
import { createTestTasks } from '../support/tasks.ts';
import { addOpenForm, submissionsOf } from './page-requests.ts';
import { open, type Page, SUBMIT } from './visitor.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let worker: Database;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  worker = openDatabase(app.installation, 'worker', 1);
  (t as TestContext).after(() => worker.close());
});

const receiptOf = ({ text }: Page) => /class="receipt">([\w-]+)</.exec(text)?.[1];
const idsOf = async (formId: string) => (await submissionsOf(app, customer, formId)).map(({ id }) => id);
const fillingsOf = (formId: string) =>
  asOwner(app, async (client) => {
    return (await client.query('select * from form_fillings where form_id = $1', [formId])).rows;
  });

/** What runs every hour, by which replies to repeated requests are forgotten. */
async function sweep(): Promise<void> {
  const tasks = await createTestTasks(app.installation, worker);
  await (tasks['sweep.hourly'] as Task)({});
}

/** A form that is sent, and whose page is still there so much later. */
async function sendAndWait(settings: object, ms: number): Promise<{ id: string; page: Page; receipt: string }> {
  const id = await addOpenForm(app, customer, settings);
  const page = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const receipt = receiptOf(await page.press(SUBMIT, { 'q.name': 'Ann' }));
  assert.ok(receipt !== undefined);
  clock.advance(ms);
  await sweep();
  return { id, page, receipt };
}

for (const [later, ms] of Object.entries({ '25 hours': 25 * HOUR, '89 days': 89 * DAY })) {
  test(`a page that is sent again after ${later} is answered as the first time, and taken once`, async () => {
    const { id, page, receipt } = await sendAndWait({ most_submissions: 1 }, ms);
    const again = await page.press(SUBMIT, { 'q.name': 'Ann' });
    assert.deepEqual([again.status, receiptOf(again)], [200, receipt]);
    const changed = await page.press(SUBMIT, { 'q.name': 'Eve' });
    assert.deepEqual([changed.status, changed.title], [409, 'Your answers have arrived already']);
    assert.deepEqual(await idsOf(id), [receipt]);
  });
}

test('a page that its window drew anew is known a day later by the name of its filling', async () => {
  const { id, page, receipt } = await sendAndWait({}, 25 * HOUR);
  const drawn = await open(app, `/f/${id}`);
  clock.advance(5_000);
  const again = await drawn.press(SUBMIT, { _once: page.value('_once') as string, 'q.name': 'Ann' });
  assert.deepEqual([receiptOf(again), await idsOf(id)], [receipt, [receipt]]);
});

test('the last place and a file that was sent along are not asked for again a day later', async () => {
  const fields = [{ name: 'scan', type: 'file', required: true }];
  const id = await addOpenForm(app, customer, { most_submissions: 1 }, { form_json: { fields } });
  const scan = { control: 'q.scan', name: 'scan.txt', content: 'scan' };
  const page = await (await open(app, `/f/${id}`)).press(['_go', 'stay'], {}, [scan]);
  clock.advance(5_000);
  const receipt = receiptOf(await page.press(SUBMIT, {}));
  clock.advance(25 * HOUR);
  await sweep();
  assert.deepEqual([receiptOf(await page.press(SUBMIT, {})), await idsOf(id)], [receipt, [receipt]]);
});

test('a filling is forgotten once no page of it can be sent, and tells nothing of what was sent', async () => {
  const { id, page, receipt } = await sendAndWait({}, 91 * DAY);
  const [row] = await fillingsOf(id);
  const { id: customerId, key } = customer;
  assert.deepEqual([row.customer_id, row.submission_id, row.form_version], [customerId, receipt, 1]);
  const removed = await app.request('DELETE', `/api/forms/${id}/submissions/${receipt}`, { key });
  assert.equal(removed.status, 200, removed.text);
  assert.equal(receiptOf(await page.press(SUBMIT, { 'q.name': 'Ann' })), receipt);
  assert.deepEqual(await idsOf(id), [], 'what was destroyed does not come back');
  clock.advance(118 * DAY);
  await sweep();
  assert.equal((await fillingsOf(id)).length, 1);
  clock.advance(DAY + 1);
  await sweep();
  assert.deepEqual(await fillingsOf(id), []);
  const gone = await page.press(SUBMIT, { 'q.name': 'Ann' });
  assert.deepEqual([gone.status, gone.title, await idsOf(id)], [403, 'This page has expired', []]);
});

test('what is sent by the API is no filling of a page', async () => {
  const id = await addForm(app, customer.id, {});
  const { status } = await app.request('POST', `/api/forms/${id}/submissions`, {
    body: { form_data: { name: 'Ann' } },
    headers: { 'idempotency-key': 'one' },
  });
  assert.equal(status, 201);
  assert.deepEqual(await fillingsOf(id), []);
});
