import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { attachmentPath, base64, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';

const clock = createMovableClock(new Date('2026-03-04T05:06:07Z'));
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const base = (formId: string) => `/v1/forms/api/forms/${formId}/submissions`;
const get = (path: string) => app.request('GET', path, { key: customer.key });

/** Asks, a second after what was asked before. */
async function ask(path: string): Promise<void> {
  clock.advance(1_000);
  assert.equal((await get(path)).status, 200, path);
}

async function disclosed(formId: string, id: string, rest = '') {
  const { status, body, text } = await get(`${base(formId)}/${id}/disclosures${rest}`);
  assert.equal(status, 200, text);
  return body;
}

test('every read and export of a submission is told, and none of another', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const elsewhere = await addForm(app, customer.id, { form_json: {} });
  await ask(`${base(formId)}/submission-csv`); // before it came
  clock.advance(1_000);
  const body = {
    form_data: { email: 'ann@example.com' },
    attachments: [{ name: 'a.txt', content: base64('a') }],
  };
  const id = await submitted(app, formId, body);
  const other = await submitted(app, formId, { form_data: { email: 'bob@example.com' } });
  assert.deepEqual(await disclosed(formId, id), { data: [], total: 0, page: 1, items: 50 });
  const { attachments } = await readBack(app, customer, formId, id);
  await ask(attachmentPath(formId, id, attachments[0].id));
  await ask(`${base(formId)}?submitter_email=bob@example.com`);
  await ask(base(formId));
  await ask(`${base(formId)}/submission-csv`);
  await ask(`${base(formId)}/submission-csv/${id}`);
  await ask(`${base(formId)}/submission-csv/${other}`);
  await ask(`${base(formId)}/${id}/submission-pdf`);
  await ask(`${base(formId)}/${other}`);
  await ask(`${base(elsewhere)}/submission-csv`);
  clock.advance(1_000);
  const amendment = { statement: 'No.' };
  await app.request('POST', `${base(formId)}/${id}/amendments`, { key: customer.key, body: amendment });
  clock.advance(1_000);
  const person = { email: 'Ann@Example.com' };
  await app.request('POST', '/v1/forms/api/forms/people/export', { key: customer.key, body: person });
  const { data, total } = await disclosed(formId, id);
  const actions = [
    'person.exported',
    'submission.exported',
    'submission.exported',
    'submissions.exported',
    'submissions.listed',
    'attachment.read',
    'submission.read',
  ];
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    actions,
  );
  assert.equal(total, actions.length);
  assert.deepEqual(Object.keys(data[0]).toSorted(), ['action', 'actor_id', 'actor_kind', 'at', 'id']);
  assert.deepEqual(
    [data[0].actor_kind, data[0].actor_id, data[0].at],
    ['key', customer.keyId, clock.now().toISOString()],
  );
  const second = await disclosed(formId, id, '?items=3&page=2');
  assert.deepEqual([second.data.length, second.total, second.data[0].id], [3, 7, data[3].id]);
  assert.equal((await disclosed(formId, id, '?page=9')).total, 7);
});

test('the log is searched by an index, as the role that searches it', async () => {
  const url = urlForRole(app.installation.ownerUrl, 'app');
  const plan = await withConnection(url, async (client) => {
    await client.query(`select set_config('carepost.customers', '{1}', false)`);
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query(
      `explain select from audit_log where customer_id = $1 and target = any($2::text[]) and id >= $3
        and action <> 'submission.received' and action ~ '^(submission|attachment|person)'`,
      [1, ['a'], '0190a5b2-7c1e-7d2a-9f00-3b6c5d4e1f20'],
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  assert.match(plan, /using audit_log\w*_customer_id_target_id_idx/);
  assert.match(plan, /AND \(target = ANY/);
});
