import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { endAgreements, type NewAgreement, recordAgreement } from '../../src/accounts/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { AppError } from '../../src/platform/errors.ts';
import { type Reply, startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

const DAY = 24 * 3600_000;
const TITLE = 'No business associate agreement in force';
const REASON = 'No business associate agreement is in force for this customer';

const message = { recipients: ['patient@example.com'], headers: { from: 'clinic@example.org', subject: 'Results' } };

/** One of the ways to send. */
function sending(path: string, data: () => object): (customer: TestCustomer) => Promise<Reply> {
  return ({ key }) => app.request('POST', `/v1/email/${path}`, { key, body: { data: data() } });
}

const sendMessage = sending('messages', () => ({ message }));
const sendBulk = sending('bulk_messages', () => ({ messages: [message] }));
const schedule = sending('schedule', () => ({ message, scheduled_at: new Date(clock.now().getTime() + DAY) }));

async function sendTemplated(customer: TestCustomer): Promise<Reply> {
  const body = { name: 'Greeting', body: 'Hello' };
  await app.request('POST', '/v1/email/dynamic_templates', { key: customer.key, body });
  return sending('templated_messages', () => ({ template_name: 'Greeting', message }))(customer);
}

function createSubscriber({ key }: TestCustomer): Promise<Reply> {
  return app.request('POST', '/v1/marketing/subscribers', { key, body: { subscriber: { email: 'ann@example.com' } } });
}

/** What takes in health data, with the refusal in the words of its area. */
const TAKES_IN = [
  ...[sendMessage, sendBulk, sendTemplated, schedule].map((ask) => ({
    ask,
    refusal: { errors: [{ code: 403, title: TITLE, details: REASON }] },
  })),
  { ask: createSubscriber, refusal: { error: REASON, code: 'agreement_missing', details: {} } },
];

const READS = [
  ...['sandbox/messages', 'message_log', 'events', 'settings', 'dynamic_templates', 'webhook_endpoints'].map(
    (path) =>
      ({ key }: TestCustomer) =>
        app.request('GET', `/v1/email/${path}`, { key }),
  ),
  ({ key }: TestCustomer) => app.request('GET', '/v1/webhooks/endpoints', { key }),
  ({ key, id }: TestCustomer) => app.request('GET', `/v1/forms/api/forms?customer_id=${id}`, { key }),
];

function record({ id }: TestCustomer, changes: Partial<NewAgreement>): Promise<string> {
  const agreement = { version: '1', signer: 'Ann', signedOn: '2020-01-01', endsOn: null, pdf: null, ...changes };
  return recordAgreement(app.installation, app.act(id, 'agreement.recorded'), agreement);
}

/** What everything that takes in health data answers, each status once. */
async function statuses(customer: TestCustomer): Promise<number[]> {
  const replies = await Promise.all(TAKES_IN.map(({ ask }) => ask(customer)));
  return [...new Set(replies.map(({ status }) => status))];
}

async function count(table: string, { id }: TestCustomer): Promise<number> {
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query(`select count(*)::int as n from ${table} where customer_id = $1`, [id]),
  );
  return rows[0].n;
}

/** A day of the clock, written as in agreements. */
function day(ahead: number): string {
  return new Date(clock.now().getTime() + ahead * DAY).toISOString().slice(0, 10);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(source));
}

test('without an agreement in force nothing is taken in, and reading stays open', async () => {
  const customer = await app.createCustomer({ agreement: false });
  for (const { ask, refusal } of TAKES_IN) {
    const reply = await ask(customer);
    assert.equal(reply.status, 403);
    assert.deepEqual(reply.body, refusal);
  }
  for (const read of READS) assert.equal((await read(customer)).status, 200);
  assert.equal(await count('messages', customer), 0);
  assert.equal(await count('subscribers', customer), 0);
});

test('without an agreement staff adds nothing about patients to forms, which is said before the form is looked for', async () => {
  const [signed, unsigned] = [await app.createCustomer(), await app.createCustomer({ agreement: false })];
  const form = `/v1/forms/api/forms/${randomUUID()}`;
  const submission = `${form}/submissions/${randomUUID()}`;
  for (const [path, body] of [
    [`${form}/links`, { count: 1, answers: { name: 'Ann' } }],
    [`${submission}/notes`, { text: 'Call back on Thursday.' }],
    [`${submission}/amendments`, { statement: 'It was the left knee.' }],
    [`${submission}/signers`, { role: 'guardian', email: 'ann@example.com' }],
  ] as const) {
    const refused = await app.request('POST', path, { key: unsigned.key, body });
    assert.deepEqual([refused.status, refused.body.message], [403, REASON], path);
    assert.equal((await app.request('POST', path, { key: signed.key, body })).status, 404, path);
  }
});

test('a wrong key is refused before the agreement is looked at', async () => {
  const customer = await app.createCustomer({ agreement: false });
  const { key } = await app.createKey(customer, ['forms']);
  assert.deepEqual(await statuses({ ...customer, key }), [401]);
});

test('an agreement opens the day it begins and closes after the day it ends', async () => {
  const cases: [string, Partial<NewAgreement>[], number][] = [
    ['begins tomorrow', [{ signedOn: day(1) }], 403],
    ['begins today', [{ signedOn: day(0) }], 200],
    ['ended yesterday', [{ endsOn: day(-1) }], 403],
    ['ends today', [{ endsOn: day(0) }], 200],
    ['ends tomorrow', [{ endsOn: day(1) }], 200],
    ['begins and ends today', [{ signedOn: day(0), endsOn: day(0) }], 200],
    ['has a gap today', [{ endsOn: day(-1) }, { signedOn: day(1) }], 403],
    ['was renewed', [{ endsOn: day(-1) }, { signedOn: day(-1) }], 200],
  ];
  for (const [name, agreements, status] of cases) {
    const customer = await app.createCustomer({ agreement: false });
    for (const agreement of agreements) await record(customer, agreement);
    assert.deepEqual(await statuses(customer), [status], name);
    for (const read of READS) assert.equal((await read(customer)).status, 200, name);
  }
});

test('an agreement comes into force and ends while the server runs', async () => {
  const customer = await app.createCustomer({ agreement: false });
  const becomes = (status: number) =>
    eventually(async () => (await statuses(customer)).every((each) => each === status), 5_000);
  await record(customer, { signedOn: day(1), endsOn: day(2) });
  await becomes(403);
  clock.advance(DAY);
  await becomes(200);
  clock.advance(DAY);
  assert.deepEqual(await statuses(customer), [200], 'the last day counts');
  clock.advance(DAY);
  await becomes(403);
});

test('ending the agreements in force refuses from the next day on', async () => {
  const customer = await app.createCustomer();
  const act = app.act(customer.id, 'agreement.ended');
  assert.deepEqual(await statuses(customer), [200]);
  assert.equal(await endAgreements(app.installation, act, day(-1)), 1);
  await eventually(async () => (await statuses(customer)).every((status) => status === 403), 5_000);
  await assert.rejects(endAgreements(app.installation, act, day(-1)), { code: 'not_found' });
});

test('an agreement is of no use to another customer', async () => {
  const [signed, unsigned] = [await app.createCustomer(), await app.createCustomer({ agreement: false })];
  assert.deepEqual(await statuses(signed), [200]);
  assert.deepEqual(await statuses(unsigned), [403]);
});

test('the signed PDF is stored sealed and reads back whole, to its own customer only', async () => {
  const [customer, stranger] = [await app.createCustomer({ agreement: false }), await app.createCustomer()];
  const pdf = Buffer.from(`%PDF-1.7\n${'signed by Ann of the clinic\n'.repeat(3_000)}%%EOF\n`);
  const id = await record(customer, { pdf });
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query('select pdf_blob_id from agreements where id = $1', [id]),
  );
  const blobId = rows[0].pdf_blob_id;
  assert.ok((await collect(app.installation.blobs.read(customer.id, blobId))).equals(pdf));
  const atRest = await collect(app.installation.blobStore.read(blobId));
  assert.ok(atRest.length > pdf.length);
  for (const plain of ['%PDF', 'signed by Ann', '%%EOF']) assert.ok(!atRest.includes(plain));
  await assert.rejects(collect(app.installation.blobs.read(stranger.id, blobId)), { code: 'not_found' });
  assert.deepEqual(await statuses(customer), [200]);
});

test('what is not an agreement is refused, and nothing of it is kept', async () => {
  const customer = await app.createCustomer({ agreement: false });
  const storedBefore = (await Array.fromAsync(app.installation.blobStore.list())).length;
  const unfit: Partial<NewAgreement>[] = [
    { pdf: Buffer.from('<html>not a PDF</html>') },
    { pdf: Buffer.from(' %PDF-1.7') },
    { pdf: Buffer.alloc(0) },
    { version: ' ' },
    { signer: '' },
    { signedOn: '01/02/2020' },
    { signedOn: '2020-13-01' },
    { signedOn: '2020-02-30' },
    { signedOn: '0000-01-01' },
    { endsOn: 'never' },
    { endsOn: '2020-02-30' },
    { endsOn: '2019-12-31' },
  ];
  for (const changes of unfit) {
    await assert.rejects(
      record(customer, changes),
      (error) => error instanceof AppError && error.code === 'invalid_request',
      JSON.stringify(changes),
    );
  }
  assert.equal(await count('agreements', customer), 0);
  assert.equal(await count('blobs', customer), 0);
  assert.equal((await Array.fromAsync(app.installation.blobStore.list())).length, storedBefore);
  assert.deepEqual(await statuses(customer), [403]);
});
