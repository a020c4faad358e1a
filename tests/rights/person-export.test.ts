import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { auditOf, base64, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { unzip } from './unzip.ts';

const ANN = 'ann.lee@example.com';
const PATH = '/v1/forms/api/forms/people/export';

const clock = createMovableClock(new Date('2026-03-04T05:06:07Z'));
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

async function archiveOf(email: string, { key } = customer): Promise<Map<string, Buffer>> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = await fetch(app.url + PATH, { method: 'POST', headers, body: JSON.stringify({ email }) });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'application/zip');
  return unzip(Buffer.from(await reply.arrayBuffer()));
}

const indexOf = (files: Map<string, Buffer>) => JSON.parse(String(files.get('index.json')));

test('a person gets all that they submitted, in every form, deleted ones too, and nothing of anybody else', async () => {
  const stranger = await app.createCustomer();
  const [open, gone, theirs] = [
    await addForm(app, customer.id, { title: 'Intake', form_json: {} }),
    await addForm(app, customer.id, { title: 'Gone', form_json: {} }),
    await addForm(app, stranger.id, { form_json: {} }),
  ];
  const attachments = [
    { name: 'a: b?.txt', content: base64('first file') },
    { name: 'a: b?.txt', content: base64('second file') },
  ];
  const first = await submitted(app, open, { form_data: { email: ANN, a: 'one' }, attachments });
  clock.advance(1_000);
  const second = await submitted(app, open, { form_data: { email: 'Ann.Lee@EXAMPLE.com', a: 'two' } });
  const third = await submitted(app, gone, { form_data: { email: ANN, a: 'three' } });
  await submitted(app, open, { form_data: { email: 'ben@example.com', a: 'canary' } });
  await submitted(app, theirs, { form_data: { email: ANN, a: 'canary' } });
  assert.equal((await app.request('DELETE', `/api/forms/${gone}`, { key: customer.key })).status, 200);
  const amendment = { changes: { a: 'amended' }, reason: 'r' };
  const path = `/api/forms/${open}/submissions/${second}/amendments`;
  assert.equal((await app.request('POST', path, { key: customer.key, body: amendment })).status, 201);

  const files = await archiveOf(ANN.toUpperCase());
  const index = indexOf(files);
  assert.equal(index.count, 3);
  const told = index.submissions.map(({ submission, title }: Record<string, string>) => `${submission} ${title}`);
  assert.deepEqual(new Set(told), new Set([`${first} Intake`, `${second} Intake`, `${third} Gone`]));
  assert.deepEqual(
    [...files.keys()].toSorted(),
    [
      ...[`${open}/${first}`, `${open}/${second}`, `${gone}/${third}`].flatMap((folder) => [
        `${folder}/submission.json`,
        `${folder}/submission.pdf`,
      ]),
      `${open}/${first}/files/1-a_ b_.txt`,
      `${open}/${first}/files/2-a_ b_.txt`,
      'index.json',
    ].toSorted(),
  );
  assert.equal(String(files.get(`${open}/${first}/files/2-a_ b_.txt`)), 'second file');
  assert.equal(files.get(`${gone}/${third}/submission.pdf`)?.subarray(0, 5).toString(), '%PDF-');
  const { form_data, amended_form_data, amendments } = JSON.parse(
    String(files.get(`${open}/${second}/submission.json`)),
  );
  assert.deepEqual(
    [JSON.parse(form_data).a, JSON.parse(amended_form_data).a, amendments.length],
    ['two', 'amended', 1],
  );
  for (const bytes of files.values()) assert.equal(bytes.includes('canary'), false);
  const log = await auditOf(app, customer, ['person.exported']);
  const [opening] = log.filter(({ target }) => target === null);
  assert.deepEqual(opening?.details, { forms: 2, submissions: 3 });
  assert.deepEqual(
    log.flatMap(({ target }) => target ?? []).toSorted(),
    [first, second, third].toSorted(),
    'each that left is in the log',
  );
  assert.doesNotMatch(JSON.stringify(log) + app.logged(), /ann\.lee/i);
  assert.deepEqual(indexOf(await archiveOf(ANN, stranger)).count, 1);
});

test('an address that nobody submitted with gives an archive without submissions, and what is no address is refused', async () => {
  const files = await archiveOf('nobody@example.com');
  assert.deepEqual([...files.keys()], ['index.json']);
  assert.deepEqual(indexOf(files), { count: 0, submissions: [] });
  for (const email of ['canary', '', ' ', 'canary@', `${'a'.repeat(330)}@example.com`, 7, null]) {
    const { status, text } = await app.request('POST', PATH, { key: customer.key, body: { email } });
    assert.equal(status, 400, String(email));
    assert.match(text, /email/);
    assert.doesNotMatch(text, /canary/);
  }
});
