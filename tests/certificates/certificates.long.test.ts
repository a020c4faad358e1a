import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { readSealedPdf } from '../../src/forms/certificate/check/pdf-signature.ts';
import { checkCertificate } from '../../src/forms/index.ts';
import { blobFiles, readBack, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { runHere, runProcess } from '../support/command-line.ts';
import { addForm } from '../support/forms.ts';
import { OPENSSL, OPENSSL_ENV } from '../support/openssl.ts';
import { asOwner } from '../support/owner.ts';
import { addSigned, certificateOf, folderFor } from './certify.ts';

const clock = createMovableClock(new Date('2026-11-15T10:00:00Z'));
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
});

async function fingerprintOf(node = app): Promise<string> {
  const { text } = await node.request('GET', '/verify');
  return /id="key" value="([0-9a-f]{64})"/.exec(text)?.[1] as string;
}

test('a signed submission has a certificate that says all of it, and the same bytes come again', async () => {
  const signed = await addSigned(app);
  clock.advance(3_600_000);
  const file = await certificateOf(app, signed);
  const { record, isCompared } = await checkCertificate(file, [await fingerprintOf()]);
  const kept = await readBack(app, signed.customer, signed.formId, signed.id);
  assert.ok(isCompared);
  assert.deepEqual(
    { form: record.form.id, version: record.form.version, title: record.form.title, submission: record.submission },
    {
      form: signed.formId,
      version: 1,
      title: 'Consent <to> treatment',
      submission: { id: signed.id, received_at: '2026-11-15T10:00:00.000Z' },
    },
  );
  assert.deepEqual(record.answers, { name: 'Ann Lee', smoker: 'no' });
  assert.deepEqual(
    record.shown.flatMap((block) => (block.kind === 'entry' ? [[block.label, block.lines[0]?.[1]]] : [])),
    [
      ['Your name', 'Ann Lee'],
      ['Do you smoke?', 'no'],
    ],
  );
  const [{ role, name, method, consent_text: consent, form_hash: formHash, answers_hash: answersHash } = {}] =
    record.signatures as Partial<(typeof record.signatures)[number]>[];
  assert.deepEqual([role, name, method, consent], ['signer', 'Ann Lee', 'drawn', 'I have told the truth.']);
  assert.equal(record.form.hash, formHash);
  assert.equal(kept.signature.answers_hash ?? answersHash, answersHash);
  const sha256 = createHash('sha256').update('a card').digest('hex');
  assert.deepEqual(
    record.attachments.map((each) => [each.name, each.size, each.sha256]),
    [['card.txt', 6, sha256]],
  );
  assert.deepEqual([record.made_at, record.time_stamp, record.complete], ['2026-11-15T11:00:00.000Z', 'none', true]);

  clock.advance(3_600_000);
  assert.ok((await certificateOf(app, signed)).equals(file));
});

test('many who ask at once get the same certificate, and one file is kept', async () => {
  const signed = await addSigned(app);
  const known = blobFiles(app).length;
  const files = await Promise.all(Array.from({ length: 4 }, () => certificateOf(app, signed)));
  assert.ok(files.every((file) => file.equals(files[0] as Buffer)));
  assert.equal(blobFiles(app).length, known + 1);
});

test('what nobody signed has none, and what others signed stays theirs', async () => {
  const signed = await addSigned(app);
  const { customer } = signed;
  const formId = await addForm(app, customer.id, { form_json: { fields: [{ name: 'name', type: 'text' }] } });
  const id = await submitted(app, formId, { form_data: { name: 'Ann' } });
  const ask = (path: string, key = customer.key) => app.request('GET', path, { key });
  const unsigned = await ask(`/api/forms/${formId}/submissions/${id}/certificate`);
  assert.equal(unsigned.status, 404);
  assert.match(unsigned.text, /Nothing was signed in this submission/);
  const stranger = await app.createCustomer();
  assert.equal((await ask(signed.path, stranger.key)).status, 403);
  assert.equal((await app.request('GET', signed.path)).status, 401);
});

test('a certificate goes with its submission', async () => {
  const signed = await addSigned(app);
  const known = new Set(blobFiles(app));
  await certificateOf(app, signed);
  const { key } = signed.customer;
  const gone = await app.request('DELETE', signed.path.replace('/certificate', ''), { key });
  assert.equal(gone.status, 200, gone.text);
  assert.equal((await app.request('GET', signed.path, { key })).status, 404);
  assert.deepEqual(
    blobFiles(app).filter((name) => !known.has(name)),
    [],
  );
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select from submission_certificates where customer_id = $1 union all select from blobs where customer_id = $1`,
      [signed.customer.id],
    ),
  );
  assert.deepEqual(rows, []);
});

test('of a certificate that is made while its submission is destroyed nothing stays', async () => {
  const customer = await app.createCustomer();
  const all = await Promise.all(Array.from({ length: 6 }, () => addSigned(app, customer)));
  await Promise.all(
    all.map(async ({ path }, at) => {
      const made = app.request('GET', path, { key: customer.key });
      // Some are destroyed at once, some while they are written or kept.
      if (at % 2 === 1) await app.request('GET', '/healthz');
      const gone = await app.request('DELETE', path.replace('/certificate', ''), { key: customer.key });
      assert.equal(gone.status, 200, gone.text);
      assert.ok([200, 404].includes((await made).status));
    }),
  );
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select from submission_certificates where customer_id = $1 union all select from blobs where customer_id = $1`,
      [customer.id],
    ),
  );
  assert.deepEqual(rows, []);
});

test('making and reading are in the audit log, without a word of the answers, and nothing is logged', async () => {
  const signed = await addSigned(app);
  await certificateOf(app, signed);
  await certificateOf(app, signed);
  const { rows } = await asOwner(app, (client) =>
    client.query(
      `select action, target, details from audit_log where customer_id = $1 and action like '%certifi%' order by action`,
      [signed.customer.id],
    ),
  );
  assert.deepEqual(
    rows.map(({ action, target }) => [action, target]),
    ['certificate.made', 'submission.certified', 'submission.certified'].map((action) => [action, signed.id]),
  );
  assert.doesNotMatch(JSON.stringify(rows) + app.logged(), /Ann|card\.txt|Consent/);
});

test('the key is the same after a restart and on every node, and never the same as that of another', async (t) => {
  const beside = await startApp(t, { beside: app });
  const [one, two] = await Promise.all([fingerprintOf(), fingerprintOf(beside)]);
  assert.equal(one, two);
  const other = await startApp(t);
  assert.notEqual(await fingerprintOf(other), one);
  const file = await certificateOf(other, await addSigned(other));
  await assert.rejects(checkCertificate(file, [one]), /another key/);
});

test('OpenSSL finds the signature good as well, and bad after one flipped byte', async (t) => {
  const { signed, signature } = readSealedPdf(await certificateOf(app, await addSigned(app)));
  const folder = folderFor(t);
  const verify = (content: Uint8Array) => {
    writeFileSync(join(folder, 'content'), content);
    writeFileSync(join(folder, 'cms'), signature);
    const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'cms', '-content', 'content', '-noverify'];
    return spawnSync(OPENSSL, [...args, '-out', '/dev/null'], { cwd: folder, env: OPENSSL_ENV }).status;
  };
  assert.equal(verify(signed), 0);
  const flipped = new Uint8Array(signed);
  flipped[100] = (flipped[100] as number) ^ 1;
  assert.notEqual(verify(flipped), 0);
});

test('carepost verify tells who, what and when, and what is wrong, without database or settings', async (t) => {
  const signed = await addSigned(app);
  const bytes = await certificateOf(app, signed);
  const key = await fingerprintOf();
  const file = writeTo(t, bytes);
  const [compared, bare, json, wrong, odd] = await Promise.all([
    runProcess(['verify', file, '--key', key.toUpperCase()], {}),
    runHere(['verify', file], {}),
    runHere(['verify', file, '--json', '--key', key], {}),
    runHere(['verify', file, '--key', 'ab'.repeat(32)], {}),
    runHere(['verify', file, '--key', 'short'], {}),
  ]);
  assert.equal(compared.code, 0, compared.err);
  for (const word of ['Consent <to> treatment', signed.id, 'Ann Lee', 'card.txt', key, 'is the expected one']) {
    assert.ok(compared.out.includes(word), word);
  }
  assert.match(bare.out, /NOT compared/);
  const { ok, key_compared: isCompared, record } = JSON.parse(json.out);
  assert.deepEqual([ok, isCompared, record.submission.id], [true, true, signed.id]);
  assert.deepEqual([wrong.code, wrong.out.startsWith('NOT PROVED: it was sealed with another key')], [1, true]);
  assert.match(odd.err, /--key takes a fingerprint/);

  bytes[1_000] = (bytes[1_000] as number) ^ 1;
  const broken = await runHere(['verify', writeTo(t, bytes)], {});
  assert.deepEqual([broken.code, broken.out], [1, 'NOT PROVED: what was signed has been changed\n']);
});

function writeTo(t: TestContext, bytes: Buffer): string {
  const file = join(folderFor(t), 'certificate.pdf');
  writeFileSync(file, bytes);
  return file;
}
