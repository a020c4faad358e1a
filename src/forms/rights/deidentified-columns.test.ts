import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cellsOf } from '../export/columns.ts';
import { choices, form, group, page, question, submission } from '../export/form.examples.ts';
import type { QuestionKind } from '../model/form-model.ts';
import { ageAt, ageText, yearText } from './ages.ts';
import { deidentifiedColumns } from './deidentified-columns.ts';
import { zip3Of } from './zip3.ts';

const CANARY = 'canary';
const KINDS: QuestionKind[] = [
  'text',
  'long_text',
  'number',
  'email',
  'phone',
  'date',
  'time',
  'address',
  'select',
  'radio',
  'checkboxes',
  'yes_no',
  'rating',
  'matrix',
  'file',
  'signature',
  'consent',
  'hidden',
  'unknown',
  'calculated',
];
const SETTINGS = [null, 'drop', 'year', 'age', 'zip'] as const;
const CHOICES = { choices: choices('One', 'Two') };
const LISTS: Partial<Record<QuestionKind, object>> = {
  select: CHOICES,
  radio: CHOICES,
  checkboxes: CHOICES,
  matrix: { rows: choices('Up'), columns: choices('In', 'Out') },
};

/** An answer of any shape, in which everything that is text is the canary. */
const { answer: anyAnswer } = fc.letrec((tie) => ({
  answer: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(CANARY, `2024-01-02 ${CANARY}`, `12345 ${CANARY}`, `${CANARY}99`),
    fc.array(tie('answer'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('up', 'zip', 'name', CANARY), tie('answer'), { maxKeys: 3 }),
  ),
}));

const anyQuestion = fc
  .tuple(fc.constantFrom(...KINDS), fc.constantFrom(...SETTINGS), fc.nat(9))
  .map(([kind, deidentify, n]) => question(kind, `q${n}`, 'Question', { ...LISTS[kind], deidentify }));

test('nothing that somebody wrote is in a table without identities, whatever was asked and whatever was sent', () => {
  const asked = fc.uniqueArray(anyQuestion, { selector: ({ id }) => id, minLength: 1, maxLength: 6 });
  const answers = fc.dictionary(fc.constantFrom('q0', 'q1', 'q2', 'q3', 'q4', 'q5', 'g', CANARY), anyAnswer);
  fc.assert(
    fc.property(asked, answers, fc.boolean(), (questions, sent, inGroup) => {
      const items = inGroup ? [group('g', 'Group', questions)] : questions;
      const model = form(page(null, items));
      const given = inGroup ? { ...sent, g: [sent, sent] } : sent;
      const columns = deidentifiedColumns([{ version: 1, model }], () => 'row');
      const cells = cellsOf(columns, submission(given, { submitterEmail: CANARY, unasked: [CANARY] }));
      assert.equal(JSON.stringify([columns.headers, cells]).includes(CANARY), false);
    }),
    { numRuns: 2_000 },
  );
});

test('what is kept because the form says so is kept', () => {
  const model = form(page(null, [question('text', 'q', 'Q', { deidentify: 'keep' })]));
  const columns = deidentifiedColumns([{ version: 1, model }], () => 'row');
  assert.deepEqual(cellsOf(columns, submission({ q: CANARY })), ['row', '2024', CANARY]);
});

test('no kind that is an identifier by itself is kept, even where the form says so', () => {
  for (const kind of ['email', 'phone', 'address', 'signature', 'file'] as const) {
    const model = form(page(null, [question(kind, 'q', 'Q', { deidentify: 'keep' })]));
    assert.deepEqual(deidentifiedColumns([{ version: 1, model }], () => 'row').headers, ['Record', 'Year'], kind);
  }
});

test('ages are told up to 89, and years as long as they show no older one', () => {
  const day = new Date('2026-03-04T00:00:00Z');
  assert.deepEqual([0, 88.9, 89, 89.5, 90, '89', '90', -1, 'old', null].map(ageText), [
    '0',
    '88',
    '89',
    '90+',
    '90+',
    '89',
    '90+',
    '',
    '',
    '',
  ]);
  const births = ['2026-03-04', '1981-03-04', '1981-03-05', '1936-03-05', '1936-03-04', '2030-01-01', 1980, 'May', ''];
  assert.deepEqual(
    births.map((birth) => ageAt(day, birth)),
    ['0', '45', '44', '89', '90+', '', '46', '', ''],
  );
  const dates = ['2026-01-01', '1937-12-31', '1936-12-31', '0001-01-01', '1990', 'May 1990', null];
  assert.deepEqual(
    dates.map((date) => yearText(day, date)),
    ['2026', '1937', 'before 1937', 'before 1937', '1990', '', ''],
  );
});

test('a ZIP code is told by three digits, and not where few people live', () => {
  const codes = ['62704', '62704-1234', '627041234', ' 02139 ', '05901', '03601', 2139, 5901, '1234', 'ABCDE', '6270'];
  assert.deepEqual(codes.map(zip3Of), ['627', '627', '627', '021', '000', '000', '021', '000', '', '', '']);
  fc.assert(
    fc.property(fc.anything(), (any) => {
      assert.match(zip3Of(any), /^(\d{3})?$/);
    }),
  );
});
