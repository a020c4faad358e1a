import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { fingerprintOf, loadSigningKey } from '../../src/accounts/index.ts';
import { UsageError } from '../../src/cli/command.ts';
import { destructionVerify } from '../../src/cli/commands/destruction.ts';
import { personExport } from '../../src/cli/commands/person.ts';
import { verifyFile } from '../../src/cli/commands/verify.ts';
import { auditOf, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { addForm } from '../support/forms.ts';
import { unzip } from './unzip.ts';

let app: TestApp;
let customer: TestCustomer;
let formId: string;
before(async (t) => {
  app = await startApp(t as TestContext);
  customer = await app.createCustomer();
  formId = await addForm(app, customer.id, { form_json: {} });
});

const fileIn = (name: string) => join(app.installation.config.dataDir, name);

function run(command: typeof personExport, options: Record<string, string>, given = '') {
  return command.run({ config: app.installation.config, options, flags: new Set(), given });
}

test('person export writes a new file for its owner only, and says how many submissions are in it', async () => {
  await submitted(app, formId, { form_data: { email: 'ann@example.com' } });
  const out = fileIn('ann.zip');
  const options = { customer: String(customer.id), email: 'Ann@example.com', out };
  assert.deepEqual((await run(personExport, options))?.json, { submissions: 1, file: out });
  assert.equal(statSync(out).mode & 0o777, 0o600);
  const files = unzip(readFileSync(out));
  assert.equal(JSON.parse(String(files.get('index.json'))).count, 1);
  const exports = async () => (await auditOf(app, customer, ['person.exported'])).length;
  const soFar = await exports();
  await assert.rejects(run(personExport, options), UsageError);
  await assert.rejects(run(personExport, { ...options, out: fileIn('no/such/folder.zip') }), UsageError);
  await assert.rejects(run(personExport, { ...options, email: 'nobody' }), /--email takes/);
  assert.equal(await exports(), soFar, 'what was refused is in no log of disclosures');
});

test('destruction verify says whether a certificate is genuine, and with which key', async () => {
  const id = await submitted(app, formId, { form_data: {} });
  const { key } = customer;
  await app.request('DELETE', `/api/forms/${formId}/submissions/${id}`, { key });
  const { body } = await app.request('GET', '/api/forms/destructions', { key });
  const { text } = await app.request('GET', `/api/forms/destructions/${body.data[0].id}`, { key });
  const [good, bad] = [fileIn('good.json'), fileIn('bad.json')];
  writeFileSync(good, text);
  writeFileSync(bad, text.replace('"count":1', '"count":2'));
  const found = await run(destructionVerify, {}, good);
  assert.match(found?.text ?? '', /^GENUINE: .*: 1\n.*\nReason: request\nThe key was NOT compared/);
  assert.ok(found?.text.endsWith(`The submissions:\n${id}`));
  assert.partialDeepStrictEqual(found?.json, { reason: 'request', count: 1, submissions: [id] });
  const { publicKey } = await loadSigningKey(app.installation);
  const compared = await run(destructionVerify, { key: fingerprintOf(publicKey).toUpperCase() }, good);
  assert.doesNotMatch(compared?.text ?? '', /NOT/);
  const several = await run(verifyFile, { key: `${'ab'.repeat(32)}, ${fingerprintOf(publicKey)}` }, good);
  assert.deepEqual(several, compared, 'one of the keys is enough');
  for (const [file, options] of [
    [bad, {}],
    [good, { key: '00'.repeat(32) }],
  ] as const) {
    const refused = await run(destructionVerify, options, file);
    assert.equal(refused?.failed, true);
    assert.match(refused?.text ?? '', /^NOT PROVED: /);
  }
  await assert.rejects(run(destructionVerify, { key: '00' }, good), /--key takes a fingerprint/);
  await assert.rejects(run(destructionVerify, {}, fileIn('none.json')), UsageError);
});
