import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf, columnsOf, tellApart } from './columns.ts';
import { timeText } from './exported-submission.ts';
import { choices, form, group, heading, page, question, section, submission } from './form.examples.ts';

const FIRST = form(
  page(null, [
    question('text', 'a', 'Name', { name: 'name' }),
    question('text', 'b', 'City', { name: 'city' }),
    question('radio', 'c', 'Plan', { choices: [{ value: 'g', label: 'Gold plan', score: null }] }),
  ]),
);
const SECOND = form(
  page('One', [
    heading('Welcome'),
    question('radio', 'c', 'Chosen plan', { choices: [{ value: 'g', label: 'Gold', score: null }] }),
    section('About you', [question('text', 'a', 'Full name', { name: 'full_name' })]),
    // A new question that took over the name of one that is gone.
    question('text', 'd', 'Town', { name: 'city' }),
  ]),
);
const VERSIONS = [
  { version: 1, model: FIRST },
  { version: 2, model: SECOND },
];

test('a question keeps its column through versions, in the order and with the label it had last', () => {
  const columns = columnsOf(VERSIONS);
  assert.deepEqual(columns.headers, [
    'Created At',
    'Chosen plan',
    'Full name',
    'Town',
    'City',
    'Attachments',
    'Signature',
  ]);
  const old = submission({ name: 'Ann', city: 'Bonn', c: 'g' }, { formVersion: 1 });
  assert.deepEqual(cellsOf(columns, old), ['2024-06-05 02:22:00 PM', 'Gold plan', 'Ann', '', 'Bonn', '', '']);
  const young = submission({ full_name: 'Bob', city: 'Cork', c: 'g' }, { formVersion: 2 });
  assert.deepEqual(cellsOf(columns, young), ['2024-06-05 02:22:00 PM', 'Gold', 'Bob', 'Cork', '', '', '']);
});

test('questions of one version that share an id each have their column, through all versions', () => {
  const allergies = question('text', 'text-1', 'Allergies', { name: 'allergies' });
  const medications = question('text', 'text-1', 'Medications', { name: 'medications' });
  const grid = { rows: choices('Back'), columns: choices('Often') };
  const today = question('matrix', 'm', 'Today', { ...grid, name: 'today' });
  const before = question('matrix', 'm', 'Before', { ...grid, name: 'before' });
  const columns = columnsOf(
    [
      { version: 1, model: form(page(null, [medications])) },
      { version: 2, model: form(page(null, [medications, before, allergies, today])) },
      { version: 3, model: form(page(null, [allergies, medications, today, before])) },
      { version: 4, model: form(page(null, [allergies])) },
    ],
    { otherAnswers: true },
  );
  assert.deepEqual(columns.headers.slice(1, 5), ['Allergies', 'Medications', 'Today: Back', 'Before: Back']);
  const answers = { allergies: 'Nuts', medications: 'Aspirin', today: { back: 'often' }, before: { back: 'no' } };
  for (const formVersion of [2, 3]) {
    const cells = cellsOf(columns, submission(answers, { formVersion }));
    assert.deepEqual([...cells.slice(1, 5), cells.at(-1)], ['Nuts', 'Aspirin', 'Often', 'no', '']);
  }
  assert.deepEqual(cellsOf(columns, submission({ medications: 'Aspirin' })).slice(1, 3), ['', 'Aspirin']);
});

test('the order in which versions are given makes no difference', () => {
  assert.deepEqual(columnsOf(VERSIONS.toReversed()).headers, columnsOf(VERSIONS).headers);
});

test('equal labels are told apart, also from labels that look like it and from our own', () => {
  const labels = ['Dose', 'Dose (2)', 'Dose', ' Dose\n', 'Created At', 'Attachments', '', '\0'];
  const model = form(
    page(
      null,
      labels.map((label, at) => question('text', `q${at}`, label)),
    ),
  );
  const { headers } = columnsOf([{ version: 1, model }]);
  assert.equal(new Set(headers).size, headers.length);
  assert.deepEqual(headers.slice(0, 5), ['Created At', 'Dose', 'Dose (2)', 'Dose (3)', 'Dose (4)']);
  assert.deepEqual(headers.slice(5), [
    'Created At (2)',
    'Attachments',
    'q6',
    'Question',
    'Attachments (2)',
    'Signature',
  ]);
});

test('thousands of equal labels are told apart at once', () => {
  const started = performance.now();
  const headers = tellApart(Array.from({ length: 60_000 }, () => 'Dose'));
  assert.equal(headers.at(-1), 'Dose (60000)');
  assert.ok(performance.now() - started < 20_000); // each looking through all before it would be minutes
});

test('a matrix has a column for each row, and a group one with readable text', () => {
  const matrix = question('matrix', 'm', 'Pain', { rows: choices('Back', 'Neck'), columns: choices('Never', 'Often') });
  const drugs = group('g', 'Drugs', [question('text', 'drug', 'Drug')]);
  const wider = question('matrix', 'm', 'Pain', { rows: choices('Back', 'Arm'), columns: choices('Never', 'Often') });
  const columns = columnsOf([
    { version: 1, model: form(page(null, [matrix, drugs])) },
    { version: 2, model: form(page(null, [wider, drugs])) },
  ]);
  assert.deepEqual(columns.headers.slice(1, -2), ['Pain: Back', 'Pain: Arm', 'Drugs', 'Pain: Neck']);
  const sent = submission({ m: { back: 'often', neck: 'never' }, g: [{ drug: 'Aspirin' }] });
  assert.deepEqual(cellsOf(columns, sent).slice(1, -2), ['Often', '', '1. Drug: Aspirin', 'Never']);
});

test('what was sent for a question that was not asked is no answer, but is kept among the others', () => {
  const columns = columnsOf(VERSIONS, { otherAnswers: true });
  const sent = submission(
    { name: 'Ann', city: 'Bonn', utm: { a: 1 }, toString: 'x', blank: '' },
    { unasked: ['city', 'utm', 'toString', 'blank'] },
  );
  const cells = cellsOf(columns, sent);
  assert.equal(cells[columns.headers.indexOf('City')], '');
  assert.equal(columns.headers.at(-1), 'Other answers');
  assert.deepEqual(JSON.parse(cells.at(-1) ?? ''), { city: 'Bonn', utm: { a: 1 }, toString: 'x' });
  assert.equal(cellsOf(columns, submission({ name: 'Ann' })).at(-1), '');
});

test('what was not asked in an entry of a group is kept among the others as well', () => {
  const drugs = group('g', 'Drugs', [question('text', 'drug', 'Drug'), question('text', 'dose', 'Dose')]);
  const columns = columnsOf([{ version: 1, model: form(page(null, [drugs])) }], { otherAnswers: true });
  const answers = { g: [{ drug: 'Aspirin' }, { drug: 'Insulin', dose: '3', colour: 'red' }] };
  const sent = submission(answers, { unasked: ['g.1.dose', 'g.1.colour'] });
  const cells = cellsOf(columns, sent);
  assert.equal(cells[1], '1. Drug: Aspirin; 2. Drug: Insulin');
  assert.deepEqual(JSON.parse(cells.at(-1) ?? ''), { 'g.1.dose': '3', 'g.1.colour': 'red' });
  const whole = cellsOf(columns, submission(answers, { unasked: ['g'] }));
  assert.deepEqual([whole[1], JSON.parse(whole.at(-1) ?? '')], ['', answers]);
});

test('a form of unknown shape has a column for each key that was found', () => {
  const unknown = { ...form(), shape: 'unknown' as const };
  const columns = columnsOf([{ version: 1, model: unknown }], {
    freeKeys: ['b', 'a', 'b', '__proto__'],
    otherAnswers: true,
  });
  assert.deepEqual(columns.headers, ['Created At', 'b', 'a', '__proto__', 'Attachments', 'Signature', 'Other answers']);
  const sent = submission({ a: [1, { c: true }], b: 'x', d: 4 }, { unasked: ['a', 'b', 'd'] });
  assert.deepEqual(cellsOf(columns, sent).slice(1), ['x', '1; c: Yes', '', '', '', '{"d":4}']);
});

test('a free key that a version asks for is shown by its question alone', () => {
  const columns = columnsOf(VERSIONS, { freeKeys: ['name', 'extra'] });
  assert.deepEqual(columns.headers.slice(4), ['City', 'name', 'extra', 'Attachments', 'Signature']);
  assert.deepEqual(cellsOf(columns, submission({ name: 'Ann', extra: 'e' })).slice(5), ['', 'e', '', '']);
});

test('files and the signature are named at the end', () => {
  const signature = {
    name: 'Ann Lee',
    method: 'typed' as const,
    signedAt: new Date('2024-06-05T00:05:09Z'),
    consentText: null,
    formVersion: 1,
    formHash: '',
    answersHash: '',
    image: null,
  };
  const attachment = { id: '1', type: 'application/pdf', size: 1, sha256: '' };
  const attachments = [
    { ...attachment, name: 'a.pdf' },
    { ...attachment, name: 'b.pdf' },
  ];
  const columns = columnsOf(VERSIONS);
  const cells = cellsOf(columns, submission({}, { signature, attachments }));
  assert.deepEqual(columns.headers.slice(-2), ['Attachments', 'Signature']);
  assert.deepEqual(cells.slice(-2), ['a.pdf; b.pdf', 'Ann Lee, 2024-06-05 12:05:09 AM']);
  const nameless = submission({}, { signature: { ...signature, name: ' ' } });
  assert.equal(cellsOf(columns, nameless).at(-1), 'Signed, 2024-06-05 12:05:09 AM');
});

function longMatrix(name: string, count: number) {
  const rows = choices(...Array.from({ length: count }, (_, at) => `${name}${at}`));
  return question('matrix', name, name, { rows, columns: choices('Yes') });
}

test('a matrix of which not every row has a column is whole among the other answers', () => {
  const columns = columnsOf(
    [{ version: 1, model: form(page(null, [longMatrix('m', 16_000), longMatrix('n', 1_000)])) }],
    {
      otherAnswers: true,
    },
  );
  const cells = cellsOf(columns, submission({ m: { m15999: 'yes' }, n: { n0: 'yes', n999: 'yes' } }));
  assert.deepEqual([cells[16_000], cells[16_001]], ['Yes', 'Yes']);
  assert.deepEqual(JSON.parse(cells.at(-1) ?? ''), { n: { n0: 'yes', n999: 'yes' } });
});

test('thousands of rows and of choices take no time', () => {
  const many = choices(...Array.from({ length: 10_000 }, (_, at) => `One of many ${at}`));
  const asked = [
    question('matrix', 'm', 'M', { rows: many, columns: choices('Yes') }),
    question('checkboxes', 'c', 'C', { choices: many }),
  ];
  const columns = columnsOf([{ version: 1, model: form(page(null, asked)) }]);
  const values = many.map(({ value }) => value);
  const sent = submission({ m: Object.fromEntries(values.map((value) => [value, 'yes'])), c: values });
  const started = process.cpuUsage();
  for (let count = 0; count < 10; count += 1) cellsOf(columns, sent);
  assert.ok(process.cpuUsage(started).user < 2_000_000); // the square of it would be a minute
});

test('times are shown by the clock of twelve hours', () => {
  assert.equal(timeText(new Date('2024-06-05T12:00:00Z')), '2024-06-05 12:00:00 PM');
  assert.equal(timeText(new Date('2024-06-05T23:59:59.999Z')), '2024-06-05 11:59:59 PM');
  assert.equal(timeText(new Date('2024-06-05T01:02:03Z')), '2024-06-05 01:02:03 AM');
});
