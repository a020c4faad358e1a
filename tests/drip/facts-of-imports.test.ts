import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { workOnImport } from '../../src/marketing/index.ts';
import { look, type Settings, send } from '../imports/support.ts';
import { type Marketing, marketingOf } from '../marketing/support.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addInterestedDrip, takeFacts, whileRefusing } from './facts.ts';

const FILE = 'email\nann@example.com\nben@example.com\ncara@example.com\nann@example.com\n';

let app: TestApp;
let customer: TestCustomer;
let marketing: Marketing;
let list: string;
let everybody: string;

before(async (t) => {
  app = await startApp(t as TestContext);
});
beforeEach(async () => {
  customer = await app.createCustomer();
  marketing = marketingOf(app, customer);
  list = await marketing.addList('News');
  everybody = (await marketing.take('GET', '/subscription_lists/default')).data.id;
});

const facts = async () => (await takeFacts(app, customer)).toSorted();

/** Works on an import as a job does. */
async function work(importId: string): Promise<void> {
  while (await workOnImport(app.installation, { customerId: customer.id, importId }));
}

async function importFile(settings: Settings, file = FILE): Promise<string> {
  const { body } = await send(app, customer, file, { subscription_list_id: list, ...settings });
  await work(body.data.id);
  assert.equal((await look(app, customer, body.data.id)).attributes.state, 'done');
  return body.data.id;
}

test('an import starts no drip unless it is asked to', async () => {
  await addInterestedDrip(app, customer, ['joined', list], ['joined', everybody]);
  await importFile({});
  await importFile({ start_drips: 'false' }, 'email\ndora@example.com\n');
  assert.deepEqual(await facts(), []);
});

test('asked to, it tells of whoever it newly puts on a list, the default one included', async () => {
  await addInterestedDrip(app, customer, ['joined', list], ['joined', everybody]);
  await marketing.addPerson('ann@example.com', {}, list);
  const ben = await marketing.addPerson('ben@example.com');
  const gone = await marketing.addPerson('gone@example.com', {}, list);
  const out = await marketing.addPerson('out@example.com');
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [gone], subscription_list_ids: [list] });
  await marketing.take('POST', '/subscriptions/unsubscribe', { subscriber_ids: [out] });
  await facts();
  const file = `${FILE}gone@example.com\nout@example.com\n`;
  const { body } = await send(app, customer, file, {
    subscription_list_id: list,
    start_drips: 'true',
    dry_run: 'true',
  });
  await work(body.data.id);
  assert.deepEqual(await facts(), [], 'a dry run puts nobody anywhere');
  await marketing.take('POST', `/imports/${body.data.id}/start`);
  await work(body.data.id);
  const joined = [`joined ${list} ben`, `joined ${list} cara`, `joined ${everybody} cara`].toSorted();
  assert.deepEqual(await facts(), joined);
  await importFile({ start_drips: 'true' }, file);
  assert.deepEqual(await facts(), [], 'they are on the lists already');

  await addInterestedDrip(app, customer, ['left', list], ['deleted', '']);
  await marketing.take('POST', `/imports/${body.data.id}/undo`);
  await work(body.data.id);
  assert.deepEqual(await facts(), ['deleted ', `left ${list}`, `left ${list} ben`]);
  assert.equal((await marketing.ask('GET', `/subscribers/${ben}`)).status, 200);
});

test('whom a list asks to confirm has joined nothing yet', async () => {
  const careful = await marketing.addList('Careful', { double_opt_in: true });
  await addInterestedDrip(app, customer, ['joined', careful], ['joined', everybody]);
  await importFile({ subscription_list_id: careful, start_drips: 'true' }, 'email\nann@example.com\n');
  assert.deepEqual(await facts(), []);
});

test('a chunk that is cut off tells of nobody, and of everybody once when it is done again', async () => {
  await addInterestedDrip(app, customer, ['joined', list]);
  const { body } = await send(app, customer, FILE, { subscription_list_id: list, start_drips: 'true' });
  await assert.rejects(whileRefusing(app, 'imports', 'rows_done', () => work(body.data.id)));
  assert.deepEqual(await facts(), []);
  await Promise.all([work(body.data.id), work(body.data.id)]);
  await work(body.data.id);
  assert.deepEqual(
    await facts(),
    ['ann', 'ben', 'cara'].map((name) => `joined ${list} ${name}`),
  );
});
