import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from './compile.ts';
import type { SentFile, Verdict } from './form-model.ts';
import { todayAt } from './today.ts';
import { checkAnswers } from './validate.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));

type Field = Record<string, unknown>;

function check(fields: Field[], answers: Record<string, unknown>, files: SentFile[] = []): Verdict {
  return checkAnswers(compileForm({ fields }), answers, files, TODAY);
}

/** The names of the questions with problems. */
function wrong(fields: Field[], answers: Record<string, unknown>, files: SentFile[] = []): string[] {
  return Object.keys(check(fields, answers, files).problems);
}

const OPTIONS = ['a', { value: 'b', label: 'Bee' }, 3];
const GRID = { type: 'matrix', rows: ['r', { value: 's', label: 'Ess' }], columns: ['a', 'b'] };
const WRONG_TYPES = [{ x: 1 }, [1], [['a']]];

/** For each field: what is good and how it is kept, and what is not. */
const KINDS: [field: Field, good: [sent: unknown, kept: unknown][], bad: unknown[]][] = [
  [
    { type: 'text' },
    [
      [' as typed ', ' as typed '],
      [7, '7'],
      ['\u0000', '\u0000'],
    ],
    [...WRONG_TYPES, true],
  ],
  [
    { type: 'text', minLength: 2, maxLength: 3 },
    [
      ['ab', 'ab'],
      ['abc', 'abc'],
      ['😀😀😀', '😀😀😀'],
    ],
    ['a', '😀', 'abcd'],
  ],
  [{ type: 'textarea', pattern: '^a+$' }, [['aa', 'aa']], ['b', 'ab']],
  [{ type: 'text', pattern: 'b' }, [['abc', 'abc']], ['ac']],
  [
    { type: 'number' },
    [
      [1.5, 1.5],
      ['42', 42],
      [' -1.5e2 ', -150],
      ['+.5', 0.5],
      [0, 0],
    ],
    [...WRONG_TYPES, 'x', '1,5', '0x1', true, '1e999', 'Infinity'],
  ],
  [
    { type: 'number', min: 1, max: 3 },
    [
      [1, 1],
      ['3', 3],
      [1.01, 1.01],
    ],
    [0.99, 3.01],
  ],
  [
    { type: 'integer', min: 0 },
    [
      [0, 0],
      ['2.0', 2],
      ['0012', 12],
      ['9007199254740991', 9007199254740991],
    ],
    [1.5, -1, '9007199254740993', '12345678901234567890', '9'.repeat(400)],
  ],
  [
    { type: 'email' },
    [
      ['a@b.co', 'a@b.co'],
      [' a+b@c.d.org ', 'a+b@c.d.org'],
      ['é@bücher.de', 'é@bücher.de'],
    ],
    [
      ...WRONG_TYPES,
      'a',
      'a@b',
      '@b.co',
      'a@b..co',
      'a b@c.de',
      'a@b.co, c@d.co',
      'a@@b.co',
      `${'a'.repeat(65)}@b.co`,
      `a@${'b'.repeat(250)}.co`,
    ],
  ],
  [
    { type: 'phone' },
    [
      ['5551234', '5551234'],
      ['+1 (555) 123-4567', '+1 (555) 123-4567'],
      [5551234567, '5551234567'],
      ['555.123.4567 x12', '555.123.4567 x12'],
      ['1'.repeat(15), '1'.repeat(15)],
    ],
    [...WRONG_TYPES, '123456', '1'.repeat(16), '555-CALL', '+', '1+5551234'],
  ],
  [
    { type: 'date' },
    [
      ['2024-02-29', '2024-02-29'],
      ['2/9/2024', '2024-02-09'],
      ['02/29/2000', '2000-02-29'],
      ['1900-12-31', '1900-12-31'],
    ],
    [
      ...WRONG_TYPES,
      '2023-02-29',
      '1900-02-29',
      '2024-04-31',
      '2024-13-01',
      '2024-00-10',
      '2024-1-1',
      '29/02/2024',
      '0999-01-01',
      20240229,
    ],
  ],
  [
    { type: 'date', min: '2024-01-02', max: 'today' },
    [
      ['2024-01-02', '2024-01-02'],
      ['2026-05-16', '2026-05-16'],
    ],
    ['2024-01-01', '2026-05-17'],
  ],
  [
    { type: 'time' },
    [
      ['00:00', '00:00'],
      ['23:59:59', '23:59:59'],
    ],
    [...WRONG_TYPES, '24:00', '12:60', '12:30:60', '1:30', '12:30 pm'],
  ],
  [
    { type: 'address' },
    [
      ['1 Main St', '1 Main St'],
      [
        { street: '1 Main', street2: ' ', city: 'X' },
        { street: '1 Main', city: 'X' },
      ],
      [{ zip: 12345 }, { zip: '12345' }],
    ],
    [{ city: true }, ['x'], 7, true],
  ],
  [
    { type: 'select', options: OPTIONS },
    [
      ['a', 'a'],
      ['b', 'b'],
      ['Bee', 'b'],
      [3, '3'],
    ],
    [...WRONG_TYPES, 'c', 'A'],
  ],
  [{ type: 'radio', options: OPTIONS, other: true }, [['c', 'c']], WRONG_TYPES],
  [{ type: 'dropdown' }, [['any', 'any']], WRONG_TYPES],
  [
    { type: 'checkboxes', options: OPTIONS },
    [
      ['a', ['a']],
      [
        ['a', 'Bee', 3, 'a', ''],
        ['a', 'b', '3'],
      ],
      [{ a: true, b: false }, ['a']],
    ],
    [['c'], [['a']], { x: 1 }, [{}]],
  ],
  [
    { type: 'checkboxes', options: OPTIONS, min: 2, max: 2 },
    [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
    [['a'], ['a', 'b', '3']],
  ],
  [
    { type: 'yes/no' },
    [
      [true, true],
      ['yes', true],
      ['ON', true],
      ['1', true],
      [1, true],
      [false, false],
      ['false', false],
      ['off', false],
      [0, false],
    ],
    [...WRONG_TYPES, 'maybe', 2],
  ],
  [
    { type: 'rating', max: 4 },
    [
      [1, 1],
      ['4', 4],
    ],
    [...WRONG_TYPES, 0, 5, 2.5, 'x'],
  ],
  [
    GRID,
    [
      [
        { r: 'a', Ess: 'b' },
        { r: 'a', s: 'b' },
      ],
      [{ r: 'a', s: '' }, { r: 'a' }],
    ],
    [{ r: 'c' }, { t: 'a' }, { r: ['a'] }, 'a', ['a']],
  ],
  [{ type: 'matrix' }, [[{ any: 'thing' }, { any: 'thing' }]], [{ r: 1.5, s: {} }]],
  [
    { type: 'consent' },
    [
      [true, true],
      ['no', false],
    ],
    [...WRONG_TYPES, 'maybe'],
  ],
  [
    { type: 'signature' },
    [
      ['me', 'me'],
      [{ strokes: [] }, { strokes: [] }],
    ],
    [],
  ],
  [
    { type: 'checkboxes' },
    [
      [
        ['a', 'a', 1],
        ['a', 'a', '1'],
      ],
    ],
    [[['a']], [{}]],
  ],
  [
    { type: 'checkboxes', uniqueItems: true, min: 2, max: 2 },
    [
      [
        ['a', 'a', 1],
        ['a', '1'],
      ],
    ],
    [['a', 'a'], ['a', 'b', 'c'], [['a']]],
  ],
  [{ type: 'hidden' }, [[{ any: [1] }, { any: [1] }]], []],
  [
    { type: 'wizardry' },
    [
      [true, true],
      [7, 7],
      [
        [1, 1],
        [1, 1],
      ],
      [{ a: [1] }, { a: [1] }],
    ],
    [],
  ],
];

test('every kind keeps good answers normalised and refuses all others, also those of the wrong type', () => {
  for (const [field, good, bad] of KINDS) {
    for (const [sent, kept] of good) {
      const found = check([{ name: 'q', ...field }], { q: sent });
      assert.deepEqual(found, { answers: { q: kept }, problems: {}, unasked: [] }, JSON.stringify([field, sent]));
    }
    for (const sent of bad) {
      const found = check([{ name: 'q', ...field }], { q: sent });
      assert.deepEqual(Object.keys(found.problems), ['q'], JSON.stringify([field, sent]));
    }
  }
});

test('blank answers are dropped, and missing where the question is required', () => {
  for (const [field] of KINDS.filter(([{ type, rows }]) => type !== 'matrix' || rows !== undefined)) {
    for (const blank of [undefined, null, '', ' \n', []]) {
      assert.deepEqual(check([{ name: 'q', ...field }], { q: blank }), { answers: {}, problems: {}, unasked: [] });
      assert.deepEqual(wrong([{ name: 'q', ...field, required: true }], { q: blank }), ['q'], JSON.stringify(field));
    }
    assert.deepEqual(wrong([{ name: 'q', ...field, required: true }], {}), ['q']);
  }
  assert.deepEqual(wrong([{ name: 'q', type: 'matrix', required: true }], {}), [], 'which has no rows to answer');
  for (const [type, sent] of [
    ['address', { city: ' ' }],
    ['matrix', { r: '' }],
    ['checkboxes', ['']],
    ['signature', false],
  ]) {
    const field = { name: 'q', type, rows: ['r'] };
    assert.deepEqual(check([field], { q: sent }).answers, {});
    assert.deepEqual(wrong([{ ...field, required: true }], { q: sent }), ['q']);
  }
});

test('required means true of a consent, every row of a matrix, and any answer of all others', () => {
  assert.deepEqual(wrong([{ name: 'q', type: 'consent', required: true }], { q: 'no' }), ['q']);
  assert.deepEqual(wrong([{ name: 'q', type: 'consent', required: true }], { q: 'on' }), []);
  assert.deepEqual(wrong([{ name: 'q', type: 'yes/no', required: true }], { q: false }), []);
  assert.deepEqual(wrong([{ name: 'q', ...GRID, required: true }], { q: { r: 'a' } }), ['q']);
  assert.deepEqual(wrong([{ name: 'q', ...GRID, required: true }], { q: { r: 'a', s: 'b' } }), []);
  assert.deepEqual(wrong([{ name: 'q', type: 'number', required: true }], { q: 0 }), []);
});

test('problems are told in words and never repeat what was sent', () => {
  const fields = KINDS.map(([field], i) => ({ ...field, name: `q${i}` }));
  for (const sent of ['sécret', ['sécret'], { sécret: 'sécret' }, { r: 'sécret' }]) {
    const { problems } = check(fields, Object.fromEntries(fields.map(({ name }) => [name, sent])));
    assert.ok(Object.keys(problems).length > 10);
    for (const problem of Object.values(problems).flat()) assert.match(problem, /^Please [\x20-\x7e]+\.$/);
  }
});
