import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import Papa from 'papaparse';
import { auditOf, base64, submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { addForm } from '../support/forms.ts';
import { IDENTIFIERS } from './identifiers.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const clock = createMovableClock(new Date('2026-03-04T05:06:07Z'));
let app: TestApp;
let customer: TestCustomer;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  customer = await app.createCustomer();
});

async function exportOf(formId: string): Promise<{ text: string; rows: string[][] }> {
  const path = `/v1/forms/api/forms/${formId}/submissions/deidentified-csv`;
  const { status, headers, text } = await app.request('GET', path, { key: customer.key });
  assert.equal(status, 200, text);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="deidentified\.csv"/);
  return { text, rows: Papa.parse<string[]>(text.trimEnd()).data };
}

test('of each of the 18 kinds of identifiers, the export tells what the safe harbour allows', async () => {
  const form_json = { fields: IDENTIFIERS.map(({ field }) => field) };
  const formId = await addForm(app, customer.id, { form_json, signable: true });
  const answered = IDENTIFIERS.filter(({ answer }) => answer !== undefined);
  await submitted(app, formId, {
    form_data: {
      ...Object.fromEntries(answered.map(({ field, answer }) => [field.name, answer])),
      unasked: 'Nobody asked Ann',
    },
    attachments: [{ name: 'ann-lee-face.txt', content: base64('x'), field: 'photo' }],
  });
  const { text, rows } = await exportOf(formId);
  const [header = [], cells = []] = rows;
  const told = IDENTIFIERS.flatMap(({ told: pair }) => (pair === null ? [] : [pair]));
  assert.deepEqual(header, ['Record', 'Year', ...told.map(([heading]) => heading)]);
  assert.match(cells[0] ?? '', UUID);
  assert.deepEqual(cells.slice(1), ['2026', ...told.map(([, cell]) => cell)]);
  for (const { letter, answer } of answered) {
    const parts = typeof answer === 'object' ? Object.values(answer as object) : [answer];
    // The two letters of a state may be told, and stand in many words.
    for (const part of parts.map(String).filter((each) => each.length > 4)) {
      assert.equal(text.includes(part), false, `${letter}: ${part}`);
    }
  }
  for (const word of ['Ann', 'Lee', 'face', 'unasked', '03-04']) assert.equal(text.includes(word), false, word);
});

test('what names nobody is kept: choices, numbers, ratings, yes and no, grids, scores; words of one’s own are not', async () => {
  const fields = [
    { type: 'radio', name: 'smoker', label: 'Smoker', options: ['Yes', 'No'], other: true },
    { type: 'checkboxes', name: 'pain', label: 'Pain', options: ['Head', 'Back'], other: true },
    { type: 'yes_no', name: 'ok', label: 'Well?' },
    { type: 'rating', name: 'stars', label: 'Stars' },
    { type: 'number', name: 'kg', label: 'Weight' },
    { type: 'matrix', name: 'grid', label: 'Grid', rows: ['Day', 'Night'], columns: ['Bad', 'Good'] },
    { type: 'calculated', name: 'double', label: 'Double', formula: 'kg * 2' },
    { type: 'text', name: 'colour', label: 'Colour', deidentify: 'keep' },
    { type: 'number', name: 'room', label: 'Room', deidentify: 'drop' },
    {
      type: 'repeating group',
      name: 'drugs',
      label: 'Drugs',
      fields: [
        { type: 'text', name: 'drug', label: 'Drug' },
        { type: 'number', name: 'mg', label: 'mg' },
        { type: 'date', name: 'since', label: 'Since' },
      ],
    },
  ];
  const formId = await addForm(app, customer.id, { form_json: { fields } });
  await submitted(app, formId, {
    form_data: {
      smoker: 'only at Annas',
      pain: ['Head', 'Annas knee'],
      ok: false,
      stars: 4,
      kg: 70,
      grid: { Day: 'Good' },
      colour: 'red',
      room: 1234,
      drugs: [{ drug: 'Secretin', mg: 5, since: '2024-02-03' }, { drug: 'Other' }],
    },
  });
  const { text, rows } = await exportOf(formId);
  assert.deepEqual(
    rows.map((row) => row.slice(2)),
    [
      ['Smoker', 'Pain', 'Well?', 'Stars', 'Weight', 'Grid: Day', 'Grid: Night', 'Double', 'Colour', 'Drugs'],
      ['Other', 'Head; Other', 'No', '4', '70', 'Good', '', '140', 'red', '1. mg: 5, Since: 2024; 2.'],
    ],
  );
  for (const word of ['Anna', 'Secretin', '1234']) assert.equal(text.includes(word), false, word);
});

test('what the newest version says holds for what was submitted before, and each version keeps its own choices', async () => {
  const first = { type: 'number', id: 'n', name: 'n', label: 'Number' };
  const choice = { type: 'radio', id: 'c', name: 'c', label: 'Choice', options: ['Old'] };
  const formId = await addForm(app, customer.id, { form_json: { fields: [first, choice] } });
  await submitted(app, formId, { form_data: { n: 778_899, c: 'Old' } });
  assert.match((await exportOf(formId)).text, /778899/);
  const fields = [
    { ...first, deidentify: 'drop' },
    { ...choice, options: ['New'] },
  ];
  const body = { form_json: { fields } };
  assert.equal((await app.request('PUT', `/api/forms/${formId}`, { key: customer.key, body })).status, 200);
  const { text, rows } = await exportOf(formId);
  assert.doesNotMatch(text, /778899|Number/);
  assert.deepEqual(rows[1]?.slice(1), ['2026', 'Old']);
});

test('rows have other names in each export, and stand in no order', async () => {
  const formId = await addForm(app, customer.id, {
    form_json: { fields: [{ type: 'number', name: 'n', label: 'N' }] },
  });
  const sent = [];
  for (let n = 0; n < 60; n += 1) {
    clock.advance(1_000);
    sent.push(await submitted(app, formId, { form_data: { n } }));
  }
  const [one, other] = [await exportOf(formId), await exportOf(formId)];
  const names = [one, other].flatMap(({ rows }) => rows.slice(1).map(([name = '']) => name));
  assert.equal(new Set(names).size, 120);
  assert.ok(sent.every((id) => !names.includes(id)));
  const numbers = one.rows.slice(1).map((row) => Number(row[2]));
  const inOrder = Array.from({ length: 60 }, (_, n) => n);
  assert.notDeepEqual(numbers, inOrder);
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    inOrder,
  );
});

test('a form of unknown shape tells nothing but years; the export is audited, and is no disclosure', async () => {
  const formId = await addForm(app, customer.id, { form_json: {} });
  const id = await submitted(app, formId, { form_data: { name: 'Ann', age: 7 } });
  const [header, cells] = (await exportOf(formId)).rows;
  assert.deepEqual([header, cells?.slice(1)], [['Record', 'Year'], ['2026']]);
  const log = await auditOf(app, customer, ['form.deidentified-exported']);
  assert.ok(log.some(({ target }) => target === formId));
  const { body } = await app.request('GET', `/api/forms/${formId}/submissions/${id}/disclosures`, {
    key: customer.key,
  });
  assert.deepEqual(body.data, []);
});
