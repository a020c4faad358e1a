import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { before, type TestContext, test } from 'node:test';
import { fingerprintOf, loadSigningKey, SignatureBroken } from '../../src/accounts/index.ts';
import { sweepSubmissions, verifyDestruction } from '../../src/forms/index.ts';
import { certifyDestruction } from '../../src/forms/rights/destruction-certificate.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { auditOf, base64, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { asOwner } from '../support/owner.ts';

const DAY = 24 * 3600_000;
const CANARY = 'canary-of-the-destroyed';

const clock = createMovableClock(new Date('2026-03-04T05:06:07Z'));
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

const get = (path: string, { key } = customer) => app.request('GET', `/v1/forms/api/forms/${path}`, { key });
const destroy = (formId: string, id: string) =>
  app.request('DELETE', `/v1/forms/api/forms/${formId}/submissions/${id}`, { key: customer.key });

async function sealedHash(id: string): Promise<string> {
  const { rows } = await asOwner(app, (client) => client.query('select sealed from submissions where id = $1', [id]));
  return createHash('sha256').update(rows[0].sealed).digest('hex');
}

/** The certificate of a submission that was destroyed just now. */
async function newCertificate() {
  const formId = await addForm(app, customer.id, { form_json: {} });
  await destroy(formId, await submitted(app, formId, { form_data: {} }));
  const { body } = await get('destructions');
  const { id } = body.data.find((told: { formId: string }) => told.formId === formId);
  return get(`destructions/${id}`);
}

async function sweep(t: TestContext): Promise<void> {
  const { ownerUrl, log, blobStore: store } = app.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  await sweepSubmissions({ db, store, clock, signingKey: await loadSigningKey(app.installation) });
}

test('deleting a submission leaves a signed certificate that anybody can check', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, {
    form_data: { email: 'ann@example.com', a: CANARY },
    attachments: [{ name: `${CANARY}.txt`, content: base64(CANARY) }],
  });
  const sha256 = await sealedHash(id);
  clock.advance(DAY);
  await destroy(formId, id);
  const { body: list } = await get('destructions');
  assert.deepEqual([list.total, list.page, list.items, list.data.length], [1, 1, 50, 1]);
  const [told] = list.data;
  const other = await addForm(app, customer.id, { form_json: {} });
  assert.deepEqual((await get(`destructions?form_id=${formId}`)).body.data, list.data);
  assert.deepEqual((await get(`destructions?form_id=${other}`)).body.total, 0);
  assert.deepEqual(
    [told.formId, told.count, told.files, told.reason, told.retentionDays],
    [formId, 1, 1, 'request', null],
  );
  assert.equal('submissions' in told, false);
  const { status, body, text } = await get(`destructions/${told.id}`);
  assert.equal(status, 200);
  const { contents } = body.data;
  assert.deepEqual(contents.submissions, [{ id, sha256 }]);
  assert.deepEqual(
    [contents.at, contents.firstReceived, contents.lastReceived],
    ['2026-03-05T05:06:07.000Z', '2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07.000Z'],
  );
  assert.deepEqual(contents.actor, { kind: 'key', id: customer.keyId });
  assert.doesNotMatch(text, /canary|ann@/);
  const { publicKey } = await loadSigningKey(app.installation);
  const verified = verifyDestruction(Buffer.from(text), [fingerprintOf(publicKey)]);
  assert.deepEqual(verified.contents, contents);
  const [row] = (await auditOf(app, customer, ['submission.destroyed'])).slice(-1);
  assert.equal(row?.details.certificate, told.id, 'the audit log names the certificate');
});

test('whoever destroys nothing gets no certificate', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const { total } = (await get('destructions')).body;
  assert.equal((await destroy(formId, '0190a5b2-7c1e-7d2a-9f00-3b6c5d4e1f20')).status, 404);
  assert.equal((await get('destructions')).body.total, total);
});

test('retention of 450 submissions gives a certificate for each page, which together name each of them once', async (t) => {
  const formId = await addForm(app, customer.id, { form_json: {}, retention_days: 30 });
  const ids = await Promise.all(Array.from({ length: 450 }, () => submitted(app, formId, { form_data: {} })));
  clock.advance(31 * DAY);
  await sweep(t);
  const { body } = await get('destructions?items=3');
  // They are of one moment, so that any of them may be the last.
  assert.deepEqual(body.data.map(({ count }: { count: number }) => count).toSorted(), [200, 200, 50]);
  for (const { reason, retentionDays, actor } of body.data) {
    assert.deepEqual([reason, retentionDays, actor], ['retention', 30, { kind: 'worker', id: 'retention' }]);
  }
  const named: string[] = [];
  for (const { id } of body.data) {
    const { text } = await get(`destructions/${id}`);
    named.push(...verifyDestruction(Buffer.from(text)).contents.submissions.map((each) => each.id));
  }
  assert.deepEqual(named.toSorted(), ids.toSorted());
  const { body: second } = await get('destructions?items=2&page=2');
  assert.equal(second.data[0].id, body.data[2].id);
});

test('a certificate with one flipped byte, or signed by another key, is found', async () => {
  const signingKey = await loadSigningKey(app.installation);
  const { text } = await newCertificate();
  const good = Buffer.from(text);
  verifyDestruction(good);
  for (let at = 0; at < good.length; at += 1) {
    const bad = Buffer.from(good);
    bad[at] = (bad[at] as number) ^ (1 << (at % 8));
    assert.throws(() => verifyDestruction(bad), SignatureBroken, `byte ${at}`);
  }
  for (const length of [0, 1, good.length - 1]) {
    assert.throws(() => verifyDestruction(good.subarray(0, length)), SignatureBroken);
  }
  const { contents } = verifyDestruction(good);
  const forged = certifyDestruction(generateKeyPairSync('ed25519'), contents);
  const bytes = Buffer.from(JSON.stringify(forged));
  assert.notEqual(verifyDestruction(bytes).fingerprint, fingerprintOf(signingKey.publicKey));
  assert.throws(() => verifyDestruction(bytes, [fingerprintOf(signingKey.publicKey)]), /another key/);
});

test('a certificate says one thing: nothing beside it, and nothing twice', async () => {
  const { text } = await newCertificate();
  const { data } = JSON.parse(text) as { data: { contents: object; signature: string } };
  verifyDestruction(Buffer.from(JSON.stringify(data)));
  verifyDestruction(Buffer.from(`${JSON.stringify({ data }, null, 2)}\n`));
  const forged = { contents: { ...data.contents, count: 9_999 }, signature: data.signature };
  const genuine = JSON.stringify(data);
  for (const bad of [
    JSON.stringify({ ...forged, data }),
    JSON.stringify({ data, note: 'Nine thousand were destroyed.' }),
    `{"data":${JSON.stringify(forged)},"data":${genuine}}`,
    `{"contents":${JSON.stringify(forged.contents)},${genuine.slice(1)}`,
    genuine.replace('"count":', '"count":9999,"count":'),
    genuine.replace('"count":', '"\\u0063ount":9999,"count":'),
  ]) {
    assert.throws(() => verifyDestruction(Buffer.from(bad)), SignatureBroken, bad.slice(0, 60));
  }
});

test('a certificate is never changed or taken away', async () => {
  for (const change of [
    'update destructions set submission_count = 1',
    'delete from destructions',
    'truncate destructions',
  ]) {
    await assert.rejects(
      asOwner(app, (client) => client.query(change)),
      /insert-only/,
    );
  }
});
