import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sealedExport } from '../../src/cli/commands/sealed.ts';
import { type Clinic, openClinic } from '../page/patient.ts';
import { blobBytes, PNG } from '../submissions/submitting.ts';
import { visit } from '../support/browser.ts';
import { asOwner } from '../support/owner.ts';
import { startRecordingProxy } from './recording-proxy.ts';
import { addSealedForm, type Key, newKey } from './sealing.ts';

let clinic: Clinic;
let keys: [Key, Key];
before(async (t) => {
  clinic = await openClinic(t as TestContext);
  keys = [await newKey(), await newKey()];
});

const FIELDS = [
  {
    type: 'page',
    title: 'You',
    fields: [
      { name: 'name', label: 'Name', type: 'text', required: true },
      { name: 'mail', label: 'Mail', type: 'email' },
    ],
  },
  {
    type: 'page',
    title: 'Health',
    fields: [
      { name: 'smokes', label: 'Do you smoke?', type: 'yes_no' },
      { name: 'since', label: 'Since when', type: 'text', show_when: 'smokes' },
      {
        name: 'drugs',
        label: 'Medication',
        type: 'repeater',
        max: 3,
        fields: [{ name: 'drug', label: 'Drug', type: 'text' }],
      },
      { name: 'scan', label: 'Scan', type: 'file', accept: ['.txt'] },
    ],
  },
];
const WORDS = {
  name: 'Wanda Whisper',
  mail: 'wanda.whisper@secret.example',
  since: 'SinceTheFlood1969',
  first: 'Drug-Alpha-000001',
  second: 'Drug-Omega-999999',
  fileName: 'wandas-lungs-scan.txt',
  content: 'a shadow on the left lung, wanda',
  signer: 'Wanda W. Whisper-Signed',
};

/** Every way in which a word could stand somewhere: as it is, as hex, and as base64 at each alignment. */
function traces(word: string): string[] {
  const aligned = [0, 1, 2].map((pad) => {
    const text = Buffer.from(`${'x'.repeat(pad)}${word}`).toString('base64');
    return text.slice(pad === 0 ? 0 : 4, -4);
  });
  return [word, encodeURIComponent(word), Buffer.from(word).toString('hex'), ...aligned];
}

function assertNoneIn(where: string, what: Buffer | string): void {
  const bytes = Buffer.from(what);
  for (const [name, word] of Object.entries(WORDS)) {
    for (const trace of traces(word)) assert.ok(!bytes.includes(trace), `${where} has ${name}`);
  }
}

async function fillIn(page: Page): Promise<void> {
  await page.locator('[data-sealed]:enabled').waitFor();
  await page.locator('[name="q.name"]').fill(WORDS.name);
  await page.locator('[name="q.mail"]').fill(WORDS.mail);
  await page.locator('[name="q.smokes"][value=yes]').check();
  await page.locator('[name="q.since"]').fill(WORDS.since);
  await page.locator('[name="q.drugs.0.drug"]').fill(WORDS.first);
  await page.locator('[name=_add]').click();
  await page.locator('[name="q.drugs.1.drug"]').fill('gone again');
  await page.locator('[name=_add]').click();
  await page.locator('[name="q.drugs.2.drug"]').fill(WORDS.second);
  assert.equal(await page.locator('[name=_add]').isVisible(), false);
  await page.locator('[name=_remove][value="drugs.1"]').click();
  assert.equal(await page.locator('[name="q.drugs.1.drug"]').inputValue(), WORDS.second);
  const file = { name: WORDS.fileName, mimeType: 'text/plain', buffer: Buffer.from(WORDS.content) };
  await page.locator('[name="q.scan"]').setInputFiles(file);
  await page.locator('[data-files] [name=_drop]').waitFor();
  await page.locator('[name="_signature.name"]').fill(WORDS.signer);
  await page.getByLabel('With a picture of my signature').check();
  const mark = { name: 'mark.png', mimeType: 'image/png', buffer: PNG };
  await page.locator('[name="_signature.file"]').setInputFiles(mark);
}

async function exportWith(t: TestContext, key: Key, formId: string) {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-sealed-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const identity = join(folder, 'identity');
  writeFileSync(identity, `# mine\n${key.identity}\n`);
  const out = join(folder, 'out');
  const { app, customer } = clinic;
  const options = { url: app.url, key: customer.key, form: formId, identity, out };
  const ended = await sealedExport.run({ config: null as never, options, flags: new Set(), given: '' });
  return { hasFailed: ended?.failed, out };
}

test('what a patient tells leaves the browser encrypted, and only the clinic gets it back', async (t) => {
  const formId = await addSealedForm(clinic.app, clinic.customer, keys, {
    form_json: { fields: FIELDS },
    signable: true,
  });
  const proxy = await startRecordingProxy(t, clinic.app.url);
  const seen = await visit(clinic.browser, `${proxy.url}/f/${formId}`);
  const { page } = seen;
  await fillIn(page);
  await page.locator('.buttons [value=submit]').click();
  await page.locator('.signing .problem').waitFor();
  await page.locator('[name="_signature.confirmed"]').check();
  await page.locator('.buttons [value=submit]').click();
  await page.waitForURL(/\/done/);
  assert.deepEqual(seen.errors, []);

  const sent = proxy.sent();
  assert.ok(sent.includes('age-encryption.org/v1'), 'the search finds what was sent');
  assertNoneIn('what the browser sent', sent);
  assertNoneIn('the folder of files', Buffer.concat(blobBytes(clinic.app)));
  assertNoneIn('the log', clinic.app.logged());
  const dump = await asOwner(clinic.app, async (client) => {
    const { rows } = await client.query(
      `select query_to_xml('select t::text from ' || c.oid::regclass || ' t', true, false, '')::text as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`,
    );
    return rows.map((row) => (row as { rows: string }).rows).join('');
  });
  assert.ok(dump.includes(formId), 'the search finds what is not sealed');
  assertNoneIn('the database', dump);
  const [submission] = await clinic.submissions(formId);
  assertNoneIn('what the server can open', JSON.stringify(submission));
  assert.deepEqual([submission.form_data, submission.submitter_email, submission.signature], ['{}', null, null]);
  assert.match(submission.attachments[0].name, /^[0-9a-f]{32}\.age$/);

  for (const key of keys) {
    const { hasFailed, out } = await exportWith(t, key, formId);
    assert.equal(hasFailed, false);
    const [opened] = JSON.parse(readFileSync(join(out, 'submissions.json'), 'utf8'));
    assert.deepEqual(opened.answers, {
      name: WORDS.name,
      mail: WORDS.mail,
      smokes: true,
      since: WORDS.since,
      drugs: [{ drug: WORDS.first }, { drug: WORDS.second }],
    });
    assert.deepEqual(opened.problems, {});
    assert.deepEqual([opened.signature.name, opened.signature.method], [WORDS.signer, 'uploaded']);
    assert.equal(opened.signature.image, PNG.toString('base64'));
    assert.equal(readFileSync(join(out, 'files', opened.id, `1-${WORDS.fileName}`), 'utf8'), WORDS.content);
    assert.match(readFileSync(join(out, 'submissions.csv'), 'utf8'), new RegExp(WORDS.second));
    assert.deepEqual(readdirSync(join(out, 'pdf')), [`${opened.id}.pdf`]);
    assert.equal(statSync(join(out, 'submissions.csv')).mode & 0o777, 0o600);
  }
  const stranger = await exportWith(t, await newKey(), formId);
  assert.equal(stranger.hasFailed, true);
  assert.equal(readFileSync(join(stranger.out, 'submissions.json'), 'utf8'), '[]\n');
});

test('without script nothing can be typed, and it is said why', async () => {
  const formId = await addSealedForm(clinic.app, clinic.customer, keys, { form_json: { fields: FIELDS } });
  const { page } = await clinic.open(formId, { javaScriptEnabled: false });
  assert.equal(await page.locator('[name="q.name"]').isDisabled(), true);
  assert.match(await page.locator('header').innerText(), /encrypted on your device/);
});

test('where what encrypts does not load, nothing can be typed or sent', async () => {
  const formId = await addSealedForm(clinic.app, clinic.customer, keys, { form_json: { fields: FIELDS } });
  const { page } = await clinic.open(formId);
  await page.route('**/seal-form.*', (route) => route.abort());
  await page.reload();
  await page.getByText('Nothing was sent').waitFor();
  assert.equal(await page.locator('[name="q.name"]').isDisabled(), true);
});

test('a form that is not taken stays filled in, and says why', async () => {
  const formId = await addSealedForm(clinic.app, clinic.customer, keys, { form_json: { fields: FIELDS } });
  const { page } = await clinic.open(formId);
  await page.locator('[data-sealed]:enabled').waitFor();
  await page.locator('[name="q.name"]').fill(WORDS.name);
  await page.route(`**/f/${formId}`, (route) => route.abort('connectionreset'));
  await page.locator('.buttons [value=submit]').click();
  await page.locator('#not-taken').waitFor();
  await page.unrouteAll();
  clinic.clock.advance(3 * 24 * 3_600_000);
  await page.locator('.buttons [value=submit]:enabled').click();
  await page.locator('#not-taken', { hasText: 'open for a long time' }).waitFor();
  assert.equal(await page.locator('[name="q.name"]').inputValue(), WORDS.name);
  await page.locator('.buttons [value=submit]:enabled').click();
  await page.waitForURL(/\/done/);
});

test('entries of groups have files and signatures of their own, wherever they move to', async (t) => {
  const inside = [
    { name: 'kind', label: 'Kind', type: 'radio', options: ['a', 'b'] },
    { name: 'why', label: 'Why', type: 'text', show_when: "kind = 'b'" },
    { name: 'photo', label: 'Photo', type: 'file' },
    { name: 'sign', label: 'Sign', type: 'signature' },
  ];
  const group = { name: 'my.items', label: 'Item', type: 'repeater', max: 3, fields: inside };
  const form = { form_json: { fields: [group] } };
  const formId = await addSealedForm(clinic.app, clinic.customer, keys, form);
  const password = { password: 'a long password' };
  const path = `/api/forms/${formId}/page`;
  await clinic.app.request('PUT', path, { key: clinic.customer.key, body: password });
  const seen = await clinic.open(formId);
  const { page } = seen;
  await page.locator('[name=password]').fill(password.password);
  await page.locator('button').last().click();
  await page.locator('[data-sealed]:enabled').waitFor();
  const at = (entry: number, name: string) => page.locator(`[name="q.my%2Eitems.${entry}.${name}"]`);
  await at(0, 'kind').first().check();
  await page.locator('[name=_add]').click();
  await page.locator('[name=_add]').click();
  assert.equal(await at(2, 'kind').first().isChecked(), false);
  await at(2, 'kind').last().check();
  await at(2, 'why').fill('because');
  await at(2, 'photo').setInputFiles({ name: 'p.txt', mimeType: 'text/plain', buffer: Buffer.from('photo') });
  await page.locator('[data-files="my.items.2.photo"] [name=_drop]').waitFor();
  await at(2, 'sign.name').fill('Ann');
  await at(2, 'sign.confirmed').check();
  await page.locator('[name=_remove][value="my.items.0"]').click();
  const ids = await page.locator('.question').evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
  await page.locator('.buttons [value=submit]').click();
  await page.waitForURL(/\/done/);
  const { out } = await exportWith(t, keys[0], formId);
  const [opened] = JSON.parse(readFileSync(join(out, 'submissions.json'), 'utf8'));
  const signed = { confirmed: true, method: 'typed', name: 'Ann' };
  assert.deepEqual(opened.answers['my.items'].at(-1), { kind: 'b', why: 'because', sign: signed });
  assert.deepEqual(
    opened.files.map(({ field }: { field: string }) => field),
    ['my.items.1.photo'],
  );
  assert.deepEqual([opened.problems, seen.errors], [{}, []]);
});
