import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Command } from '../../src/cli/command.ts';
import { sealedExport, sealedKeygen, sealedOpen } from '../../src/cli/commands/sealed.ts';
import { sealTo } from '../../src/forms/end-to-end/age.ts';
import { slicedHash } from '../../src/forms/end-to-end/sliced-hash.ts';
import { exportSealed } from '../../src/forms/index.ts';
import { createApiReader } from '../../src/platform/net/api-reader.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { addSealedForm, type Key, newKey, sealAnswers } from './sealing.ts';

const clock = createMovableClock();
let app: TestApp;
let customer: TestCustomer;
let key: Key;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
  key = await newKey();
});

const FORM = {
  title: 'Twins',
  signable: true,
  form_json: {
    fields: [
      { name: 'name', label: 'Name', type: 'text', required: true },
      { name: 'mail', label: 'Mail', type: 'email' },
      { name: 'age', label: 'Age', type: 'number' },
      { name: 'symptoms', label: 'Symptoms', type: 'checkboxes', options: ['cough', 'fever'] },
      { name: 'scan', label: 'Scan', type: 'file' },
    ],
  },
};
const ANSWERS = [
  { name: 'Ann "A"', mail: 'ann@example.org', age: '41', symptoms: ['cough', 'fever'] },
  { name: 'Ben', extra: { free: 1 } },
];
const SIGNATURE = { confirmed: true, name: 'Ann' };

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-sealed-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function exportInto(out: string, formId: string, identity = key.identity) {
  const api = createApiReader(app.url, customer.key);
  return exportSealed({ api, formId, identities: [identity], out, formats: new Set(['csv', 'json']) });
}

/** A file as a browser encrypts it: what is stored, and what is told of it. */
async function sealFile(content: string, storedAs = `${'ab'.repeat(16)}.age`) {
  const sealed = await sealTo([key.recipient], content);
  const hash = await slicedHash(new Blob([content]));
  const about = { storedAs, name: 'scan.txt', type: 'text/plain', size: content.length, field: 'scan', hash };
  return { about, attachment: { name: storedAs, content: Buffer.from(sealed).toString('base64') } };
}

test('an export is to the letter what the server makes of a form that it can read', async (t) => {
  const plain = await addForm(app, customer.id, FORM);
  const sealed = await addSealedForm(app, customer, [key], FORM);
  const file = await sealFile('lungs');
  for (const [i, answers] of ANSWERS.entries()) {
    const isFirst = i === 0;
    clock.advance(60_000);
    const signature = isFirst ? SIGNATURE : null;
    const attachment = { name: 'scan.txt', content: Buffer.from('lungs').toString('base64'), field: 'scan' };
    await submitted(app, plain, { form_data: answers, signature, attachments: isFirst ? [attachment] : [] });
    const more = { signature, files: isFirst ? [file.about] : [] };
    const attachments = isFirst ? [file.attachment] : [];
    await submitted(app, sealed, { sealed: await sealAnswers([key], sealed, answers, more), attachments });
  }
  const out = newFolder(t);
  const done = await exportInto(out, sealed);
  assert.deepEqual(done, { opened: 2, readable: 0, unfit: [], closed: [] });
  const path = `/v1/forms/api/forms/${plain}/submissions/submission-csv`;
  const { text } = await app.request('GET', path, { key: customer.key });
  assert.equal(readFileSync(join(out, 'submissions.csv'), 'utf8'), text);
  assert.match(text, /Ann/);
});

test('it is said what does not fit, what cannot be opened, and what is no secret', async (t) => {
  const formId = await addForm(app, customer.id, FORM);
  await submitted(app, formId, { form_data: { name: 'Open' } });
  const body = { sealed_to: [key.recipient] };
  await app.request('PUT', `/api/forms/${formId}/page`, { key: customer.key, body });
  const send = async (sealed: string, attachments: object[] = []) => {
    clock.advance(1_000);
    return submitted(app, formId, { sealed, attachments });
  };
  const unfit = await send(await sealAnswers([key], formId, { mail: 'no address' }));
  const file = await sealFile('one');
  const other = await sealFile('two', `${'cd'.repeat(16)}.age`);
  const swapped = { ...other.attachment, name: file.about.storedAs };
  const closed = [
    await send(await sealAnswers([await newKey()], formId, { name: 'Ann' })),
    await send(await sealAnswers([key], formId, { name: 'Ann' }, { form: 'another' })),
    await send(await sealAnswers([key], formId, { name: 'Ann' }, { version: 2 })),
    await send(await sealAnswers([key], formId, { name: 'Ann' }, { answers: null })),
    await send(await sealAnswers([key], formId, { name: 'Ann' }, { files: [file.about] })),
    await send(await sealAnswers([key], formId, { name: 'Ann' }, { files: [file.about] }), [swapped]),
  ];
  const done = await exportInto(newFolder(t), formId);
  assert.deepEqual([done.opened, done.readable], [1, 1]);
  assert.deepEqual(
    done.closed.map(({ id }) => id),
    closed,
  );
  assert.equal(new Set(done.closed.map(({ reason }) => reason)).size, 5);
  const [found] = done.unfit;
  assert.deepEqual([found?.id, Object.keys(found?.problems ?? {}).toSorted()], [unfit, ['mail', 'name']]);
});

/** Runs a command that needs no settings. */
function run(command: Command, options: Record<string, string>, given = '') {
  return command.run({ config: null as never, options, flags: new Set(), given });
}

test('keys are made for their owner only, and open files without a server', async (t) => {
  const folder = newFolder(t);
  const identity = join(folder, 'identity');
  const sealed = join(folder, 'sealed.age');
  const out = join(folder, 'plain');
  const made = await run(sealedKeygen, { out: identity });
  await assert.rejects(run(sealedKeygen, { out: identity }), /not there yet/);
  assert.equal(statSync(identity).mode & 0o777, 0o600);
  const recipient = made?.text ?? '';
  assert.match(readFileSync(identity, 'utf8'), new RegExp(`^# public key: ${recipient}\nAGE-SECRET-KEY-1\\w+\n$`));
  writeFileSync(sealed, await sealTo([recipient], 'answer'));
  await run(sealedOpen, { identity, out }, sealed);
  assert.equal(readFileSync(out, 'utf8'), 'answer');
  writeFileSync(sealed, await sealTo([key.recipient], 'answer'));
  await assert.rejects(run(sealedOpen, { identity, out: `${out}2` }, sealed), /not encrypted to this identity/);
  await assert.rejects(run(sealedOpen, { identity: sealed, out }, sealed), /--identity takes/);
  const exporting = { key: 'k', form: 'f', identity, out: folder, url: app.url };
  await assert.rejects(run(sealedExport, { ...exporting, url: 'http://clinic.example' }), /https/);
  await assert.rejects(run(sealedExport, exporting), /nothing in it/);
  await assert.rejects(run(sealedExport, { ...exporting, format: 'doc' }), /--format takes/);
  await assert.rejects(run(sealedExport, { ...exporting, out: join(folder, 'new') }), /answered 401/);
});
