import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { questionsOf } from '../../src/forms/model/questions.ts';
import { openBefore, openTable } from '../../src/forms/submissions/export.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { requireOwn } from '../../src/platform/http/ownership.ts';
import { timeOrderedId } from '../../src/platform/ids.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { base64, download, PNG, readBack, submitted } from './submitting.ts';

const ACTOR = { kind: 'worker', id: 'test' } as const;

const clock = createMovableClock(new Date('2026-03-04T05:06:07Z'));
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

/** Reads CSV as RFC 4180 has it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && quoted === undefined && plain === '') break;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

async function csvOf(formId: string, rest = ''): Promise<string[][]> {
  const reply = await download(app, customer, `/v1/forms/api/forms/${formId}/submissions/submission-csv${rest}`);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="form_data\.csv"/);
  return parseCsv(reply.bytes.toString());
}

function next(): void {
  clock.advance(1_000);
}

test('a table holds all versions: a question that was renamed keeps its column, under its last label', async () => {
  const first = [
    { type: 'text', id: 'q1', name: 'colour', label: 'Colour' },
    { type: 'number', id: 'q2', name: 'age', label: 'Age' },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields: first } });
  await submitted(app, formId, { form_data: { colour: 'red', age: 41 } });
  const second = [
    { type: 'text', id: 'q3', name: 'city', label: 'City' },
    { type: 'text', id: 'q1', name: 'favourite', label: 'Favourite colour' },
  ];
  const body = { form_json: { fields: second } };
  assert.equal((await app.request('PUT', `/api/forms/${formId}`, { key: customer.key, body })).status, 200);
  next();
  const attachments = [
    { name: 'a.txt', content: base64('a') },
    { name: 'b.txt', content: base64('b') },
  ];
  const id = await submitted(app, formId, { form_data: { favourite: 'blue', city: 'Bern', more: 1 }, attachments });
  next();
  await submitted(app, formId, { form_data: { colour: 'old', age: '7' }, form_version: 1 });
  const [header, ...rows] = await csvOf(formId);
  assert.deepEqual(header, [
    'Created At',
    'City',
    'Favourite colour',
    'Age',
    'Attachments',
    'Signature',
    'Other answers',
  ]);
  assert.deepEqual(
    rows.map(([, ...cells]) => cells),
    [
      ['', 'red', '41', '', '', ''],
      ['Bern', 'blue', '', 'a.txt; b.txt', '', '{"more":1}'],
      ['', 'old', '7', '', '', ''],
    ],
  );
  assert.match(rows[0]?.[0] ?? '', /^2026-03-04[T ]05:06:07/);
  assert.deepEqual((await csvOf(formId, `/${id}`)).slice(1), [rows[1]]);
});

test('no cell is a formula, whether it is an answer, a label or the name of a file', async () => {
  const fields = [{ type: 'text', id: 'q1', name: 'a', label: '=HYPERLINK("http://evil.example")' }];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  const formulas = ['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', ' =1', '＝1', "=cmd|' /C calc'!A0", 'a;=1+1', 'x"\r\n=1'];
  for (const a of formulas) {
    next();
    const attachments = [{ name: '=2+2.txt', content: base64('x') }];
    await submitted(app, formId, { form_data: { a }, attachments });
  }
  const [header, ...rows] = await csvOf(formId);
  assert.equal(rows.length, formulas.length);
  for (const cell of [header, ...rows].flatMap((row) => row ?? [])) {
    assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝＋－＠]/u);
    assert.doesNotMatch(cell, /[;\r\n]\s*[=@]/);
  }
  const told = rows.map((row) => row[1]?.replaceAll("'=", '=').replace(/^'/, ''));
  assert.deepEqual(told.slice(0, 4), formulas.slice(0, 4), 'and everybody can still read what was said');
});

test('files stand with their question, by whichever of its names they were sent and also within groups', async () => {
  const fields = [
    { name: 'Insurance Card', id: 'card-1', type: 'file' },
    { name: 'scan', type: 'file', show_when: 'wanted' },
    { name: 'wanted', type: 'yes_no' },
    { name: 'drugs', type: 'repeater', fields: [{ name: 'drug' }, { name: 'Photo', id: 'photo-1', type: 'file' }] },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  const sent = { 'card-1': 'card.txt', insurance_card: 'back.txt', scan: 'scan.txt', 'drugs.1.photo-1': 'b.txt' };
  const id = await submitted(app, formId, {
    form_data: { wanted: false, drugs: [{ drug: 'A' }, { drug: 'B' }] },
    attachments: Object.entries(sent).map(([field, name]) => ({ name, field, content: base64(name) })),
  });
  const read = await readBack(app, customer, formId, id);
  assert.deepEqual(
    read.attachments.map(({ field }: { field: string }) => field),
    ['Insurance Card', 'Insurance Card', 'scan', 'drugs.1.Photo'],
  );
  assert.deepEqual(read.unasked, ['scan'], 'what came for a question that was not asked is no answer to it');
  const [header, row] = await csvOf(formId);
  const told = Object.fromEntries((header ?? []).map((label, at) => [label, row?.[at]]));
  assert.equal(told['Insurance Card'], 'card.txt; back.txt');
  assert.equal(told['scan'], '');
  assert.match(told['drugs'] ?? '', /^1\. [^;]*A; 2\. [^;]*B, Photo: b\.txt$/);
});

test('a negative number is a number', async () => {
  const fields = [
    { type: 'number', name: 'n', label: 'N' },
    { type: 'calculated', name: 'half', label: 'Half', formula: 'n / 2' },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  await submitted(app, formId, { form_data: { n: -5.5 } });
  assert.deepEqual((await csvOf(formId))[1]?.slice(1, 3), ['-5.5', '-2.75']);
});

test('a form of unknown shape has a column for each answer', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  await submitted(app, formId, { form_data: { a: 'x', 'b "c", d': ['1', '2'] } });
  next();
  await submitted(app, formId, { form_data: { e: 'line\r\nbreak' } });
  const [header, ...rows] = await csvOf(formId);
  assert.deepEqual(header, ['Created At', 'a', 'b "c", d', 'e', 'Attachments', 'Signature']);
  assert.equal(rows.length, 2);
  assert.equal(rows[0]?.[1], 'x');
  assert.equal(rows[1]?.[3], 'line\r\nbreak');
});

test('what comes while a table is made is not in it, rather than in it without its answers', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  await submitted(app, formId, { form_data: { a: 'x' } });
  const { vault } = app.installation;
  const deps = { db: openDatabase(app.installation, 'app', 1), vault, clock, requireOwn };
  const act = { customerId: customer.id, actor: ACTOR, action: 'submissions.exported', requestId: null };
  const { columns, submissions } = await openTable(deps, act, { formId, submissionId: null });
  next();
  await submitted(app, formId, { form_data: { b: 'late' } });
  const rows = await Array.fromAsync(submissions);
  await deps.db.close();
  assert.deepEqual(columns.headers.slice(1, -2), ['a']);
  assert.deepEqual(
    rows.map(({ answers }) => answers),
    [{ a: 'x' }],
  );
  assert.deepEqual((await csvOf(formId)).length, 3);
});

test('what is asked in the same words in many versions is in memory once while a form is exported', async () => {
  const fields = [
    { type: 'text', name: 'a', label: 'A' },
    { type: 'section', fields: [{ type: 'text', name: 'b' }] },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  for (const name of ['c', 'd']) {
    const body = { form_json: { fields: [...fields, { type: 'text', name }] } };
    assert.equal((await app.request('PUT', `/api/forms/${formId}`, { key: customer.key, body })).status, 200);
  }
  const deps = { db: openDatabase(app.installation, 'app', 1), vault: app.installation.vault };
  const which = { customerId: customer.id, formId, before: timeOrderedId(clock) };
  const { versions } = await openBefore(deps, which);
  await deps.db.close();
  const asked = versions.map(({ model }) => questionsOf(model));
  assert.deepEqual(
    asked.map((questions) => questions.map(({ name }) => name)),
    [
      ['a', 'b', 'd'],
      ['a', 'b', 'c'],
      ['a', 'b'],
    ],
  );
  assert.equal(new Set(asked.flat()).size, 4);
});

test('while the submissions of a form are read one after the other, everybody else has a turn', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  for (let count = 0; count < 30; count += 1) await submitted(app, formId, { form_data: { count } });
  const deps = { db: openDatabase(app.installation, 'app', 1), vault: app.installation.vault };
  next();
  const opened = await openBefore(deps, { customerId: customer.id, formId, before: timeOrderedId(clock) });
  for (const submissions of [opened.read(), opened.readShuffled()]) {
    let turns = 0;
    let read = 0;
    for await (const _ of submissions) {
      assert.equal(turns, read);
      read += 1;
      setImmediate(() => (turns += 1));
      const until = performance.now() + 12;
      while (performance.now() < until);
    }
    assert.equal(read, 30);
  }
  await deps.db.close();
});

test('the answers to a table that names no rows are in every export', async () => {
  const fields = [{ type: 'matrix', name: 'm', label: 'Pain', columns: [{ value: 'a', label: 'Always' }, 'b'] }];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  const id = await submitted(app, formId, { form_data: { m: { knee: 'a', hip: 'b' } } });
  const [header, [, pain] = []] = await csvOf(formId);
  assert.deepEqual([header?.[1], pain], ['Pain', 'knee: Always; hip: b']);
  const page = await download(app, customer, `/api/forms/${formId}/submissions/${id}/page`);
  assert.match(page.bytes.toString(), /<li>knee: Always<\/li><li>hip: b<\/li>/);
});

test('a signature that a form did not ask for is in the table', async () => {
  for (const formJson of [{}, { fields: [{ type: 'text', name: 'a' }] }]) {
    const formId = await addForm(app, customer.id, { form_json: formJson });
    await submitted(app, formId, { form_data: { a: 'x' }, signature: { confirmed: true, name: 'Ann Lee' } });
    const [header, row] = await csvOf(formId);
    assert.match(row?.[header?.indexOf('Signature') ?? -1] ?? '', /^Ann Lee, 2026-/);
  }
});

test('a form without submissions gives a table with a header only', async () => {
  const fields = [{ type: 'text', name: 'a', label: 'A' }];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  assert.deepEqual((await csvOf(formId)).length, 1);
});

test('a table of more than a page of rows is whole and in the order of time', async () => {
  const formId = await addForm(app, customer.id, { form_json: { fields: [{ type: 'number', name: 'n' }] } });
  for (let from = 0; from < 1_010; from += 101) {
    next();
    await Promise.all(Array.from({ length: 101 }, (_, at) => submitted(app, formId, { form_data: { n: from + at } })));
  }
  const rows = (await csvOf(formId)).slice(1).map(([at = '', n]) => ({ at, n: Number(n) }));
  assert.deepEqual(
    rows.map(({ n }) => n).toSorted((one, other) => one - other),
    Array.from({ length: 1_010 }, (_, n) => n),
  );
  assert.deepEqual(
    rows.map(({ at }) => at),
    rows.map(({ at }) => at).toSorted(),
  );
});

test('workbooks and pages are what they say', async () => {
  const fields = [
    { type: 'text', name: 'a', label: 'A' },
    { type: 'signature', name: 's' },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  const signature = { confirmed: true, name: 'Ann', image: base64(PNG) };
  const attachments = [{ name: 'a.txt', content: base64('x') }];
  const id = await submitted(app, formId, { form_data: { a: '=1 größe ☤' }, signature, attachments });
  const base = `/v1/forms/api/forms/${formId}/submissions`;
  const workbook = await download(app, customer, `${base}/submission-xlsx`);
  assert.equal(workbook.status, 200);
  assert.equal(workbook.bytes.toString('latin1', 0, 4), 'PK\x03\x04');
  assert.match(workbook.headers.get('content-type') ?? '', /spreadsheetml\.sheet$/);
  assert.match(workbook.headers.get('content-disposition') ?? '', /form_data\.xlsx/);
  const page = await download(app, customer, `${base}/${id}/submission-pdf`);
  assert.equal(page.status, 200);
  assert.equal(page.bytes.toString('latin1', 0, 5), '%PDF-');
  assert.match(page.bytes.toString('latin1').trimEnd(), /%%EOF$/);
  assert.equal(page.headers.get('content-type'), 'application/pdf');
  for (const { headers } of [workbook, page]) {
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(headers.get('cache-control'), 'no-store');
  }
});
