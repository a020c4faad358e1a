import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { addOpenForm, submit } from '../page/page-requests.ts';
import { open } from '../page/visitor.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { announce, begun, send } from './uploading.ts';

const HOUR = 3_600_000;
const PASSWORD = 'a password of ours';
const WITH_FILE = { form_json: { fields: [{ name: 'scan', type: 'file' }] } };

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

/** How a file is answered that comes with something to show. */
async function statusWith(formId: string, shown: Record<string, string> = {}): Promise<number> {
  return (await announce(app, formId, { length: 1, told: { filename: 'scan.pdf', ...shown } })).status;
}

test('a file comes to a form with a password by the password, or by what its page got for it', async () => {
  const [id, other] = [await addOpenForm(app, customer, { password: PASSWORD }, WITH_FILE), await addOther()];
  assert.equal(await statusWith(id), 403);
  assert.equal(await statusWith(id, { password: 'wrong' }), 403);
  assert.equal(await statusWith(id, { password: PASSWORD }), 201);
  const page = await (await open(app, `/f/${id}`)).press(null, { password: PASSWORD });
  const pass = page.value('_pass') ?? '';
  assert.equal(await statusWith(other, { pass }), 403, 'it is of one form');
  assert.equal(await statusWith(id, { pass }), 201);
  clock.advance(24 * HOUR);
  assert.equal(await statusWith(id, { pass }), 201, 'whoever fills in a form for long goes on sending files');
  clock.advance(HOUR);
  assert.equal(await statusWith(id, { pass }), 403);
});

const addOther = () => addOpenForm(app, customer, { password: 'another password' }, WITH_FILE);

test('a file comes to a form with links by one of them, and what has begun goes on without', async () => {
  const id = await addOpenForm(app, customer, { single_use: true }, WITH_FILE);
  assert.equal(await statusWith(id), 403);
  const { body } = await app.request('POST', `/api/forms/${id}/links`, { key: customer.key, body: { count: 1 } });
  const link = new URL(body.data[0].url).pathname.split('/').at(-1) as string;
  const place = await begun(app, id, { length: 4, told: { filename: 'scan.pdf', link } });
  assert.equal((await send(app, place, 0, Buffer.from('scan'))).status, 204);
  assert.equal((await submit(app, id, { form_data: {}, gate: { link } })).status, 201);
  assert.equal(await statusWith(id, { link }), 403, 'it is used up');
});

test('a form that is full takes no file', async () => {
  const id = await addOpenForm(app, customer, { most_submissions: 1 }, WITH_FILE);
  assert.equal(await statusWith(id), 201);
  assert.equal((await submit(app, id, { form_data: {} })).status, 201);
  assert.equal(await statusWith(id), 403);
});
