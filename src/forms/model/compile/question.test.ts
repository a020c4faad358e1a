import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm, explainForm } from '../compile.ts';
import { parseExpression } from '../expression/parse.ts';
import { type Item, NO_LIMIT, type Question } from '../form-model.ts';

function itemsOf(formJson: unknown): Item[] {
  return compileForm(formJson).pages.flatMap((page) => page.items);
}

function questionOf(field: Record<string, unknown>): Question {
  const [item] = itemsOf({ fields: [{ name: 'q', ...field }] });
  assert.ok(item !== undefined && item.kind !== 'heading' && item.kind !== 'section' && item.kind !== 'group');
  return item;
}

function notesOf(formJson: unknown): string[] {
  return explainForm(formJson).notes.map(({ path, note }) => `${path}: ${note}`);
}

/** What a question has besides what all questions have. */
function rulesOf(field: Record<string, unknown>): Record<string, unknown> {
  const { id, name, label, help, required, requireWhen, showWhen, prefill, deidentify, ...rules } = questionOf(field);
  assert.deepEqual([id, name, label, help, requireWhen, showWhen], ['q', 'q', 'q', null, null, null]);
  assert.deepEqual([prefill, deidentify], [false, null]);
  assert.equal(typeof required, 'boolean');
  return rules;
}

test('type words are matched loosely', () => {
  const words: Record<string, string> = {
    'Short Text': 'text',
    string: 'text',
    'single-line': 'text',
    textarea: 'long_text',
    Paragraph: 'long_text',
    multi_line: 'long_text',
    integer: 'number',
    Decimal: 'number',
    TEL: 'phone',
    Phone: 'phone',
    Date: 'date',
    time: 'time',
    Address: 'address',
    Dropdown: 'select',
    'Single Choice': 'radio',
    multiple_choice: 'checkboxes',
    'Checkbox Group': 'checkboxes',
    checkbox: 'yes_no',
    'Yes/No': 'yes_no',
    toggle: 'yes_no',
    boolean: 'yes_no',
    stars: 'rating',
    NPS: 'rating',
    grid: 'matrix',
    'File Upload': 'file',
    attachment: 'file',
    Signature: 'signature',
    terms: 'consent',
    hidden: 'hidden',
    wizardry: 'unknown',
    'Full name': 'text',
  };
  for (const [type, kind] of Object.entries(words)) assert.equal(questionOf({ type }).kind, kind, type);
  assert.equal(questionOf({ type: 'checkbox', options: ['a'] }).kind, 'checkboxes');
  assert.equal(questionOf({ type: 'select', multiple: true, options: ['a'] }).kind, 'checkboxes');
  assert.equal(questionOf({ type: 'likert', options: ['a'] }).kind, 'radio');
  assert.equal(questionOf({ options: ['a'] }).kind, 'select');
  assert.equal(questionOf({ type: 'list', options: ['a'] }).kind, 'select');
  assert.equal(questionOf({ type: 'score', formula: '1 + 1' }).kind, 'calculated');
  for (const [type, kind] of [
    ['Label text', 'heading'],
    ['html', 'heading'],
    ['fieldset', 'section'],
    ['repeater', 'group'],
  ]) {
    assert.equal(itemsOf({ fields: [{ type, name: 'x', fields: [] }] })[0]?.kind, kind, type);
  }
  assert.equal(itemsOf({ fields: [{ type: 'group', repeat: true, name: 'x' }] })[0]?.kind, 'group');
  assert.deepEqual(itemsOf({ fields: [{ type: 'submit', name: 'x' }] }), []);
});

test('rules are read in every spelling, with defaults where the form sets none', () => {
  const text = { kind: 'text', leastLength: 0, mostLength: NO_LIMIT, pattern: null, format: null };
  const options = [
    { value: '1', label: 'One', score: 2 },
    { value: 'b', label: 'b', score: null },
  ];
  const rules: [Record<string, unknown>, Record<string, unknown>][] = [
    [{}, text],
    [
      { minLength: 2, max_length: '5', pattern: '^a' },
      { ...text, leastLength: 2, mostLength: 5, pattern: '^a' },
    ],
    [{ properties: { min_length: 2, maxlength: 5 } }, { ...text, leastLength: 2, mostLength: 5 }],
    [{ minLength: 5, maxLength: 2 }, text],
    [{ minLength: -1, maxLength: 1.5 }, text],
    [{ type: 'wizardry', minLength: 5, pattern: 'a' }, { kind: 'unknown' }],
    [
      { type: 'name', maxLength: 5 },
      { ...text, mostLength: 5 },
    ],
    [{ type: 'number' }, { kind: 'number', least: null, most: null, whole: false, multipleOf: null }],
    [
      { type: 'integer', min: 1, maximum: 9 },
      { kind: 'number', least: 1, most: 9, whole: true, multipleOf: null },
    ],
    [
      { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 9.5 },
      { kind: 'number', least: 2, most: 9, whole: true, multipleOf: null },
    ],
    [
      { type: 'number', multipleOf: '0.5' },
      { kind: 'number', least: null, most: null, whole: false, multipleOf: 0.5 },
    ],
    [
      { type: 'number', multiple_of: 1 },
      { kind: 'number', least: null, most: null, whole: true, multipleOf: null },
    ],
    [
      { type: 'number', multipleOf: -2 },
      { kind: 'number', least: null, most: null, whole: false, multipleOf: null },
    ],
    [
      { type: 'text', format: 'date-time' },
      { ...text, format: 'date-time' },
    ],
    [{ type: 'boolean' }, { kind: 'yes_no', only: null }],
    [
      { type: 'boolean', const: false },
      { kind: 'yes_no', only: false },
    ],
    [
      { type: 'date', min: '2024-02-29', max: 'today' },
      { kind: 'date', earliest: '2024-02-29', latest: 'today' },
    ],
    [
      { type: 'date', min: '2023-02-29', max: 'soon' },
      { kind: 'date', earliest: null, latest: null },
    ],
    [
      { type: 'date', min: '2024-02-29', max: '2024-02-28' },
      { kind: 'date', earliest: null, latest: null },
    ],
    [
      { type: 'radio', options: [{ value: 1, label: 'One', points: 2 }, 'b', 'b', ''] },
      { kind: 'radio', choices: options, other: false },
    ],
    [{ type: 'select' }, { kind: 'select', choices: [], other: true }],
    [
      { type: 'select', choices: [{ text: 'b' }], allow_other: true },
      { kind: 'select', choices: options.slice(1), other: true },
    ],
    [
      { type: 'checkboxes', values: ['b'], min: 1, max: 1 },
      { kind: 'checkboxes', choices: options.slice(1), other: false, least: 1, most: 1, unique: true },
    ],
    [
      { type: 'checkboxes', enum: ['b'], min: 2 },
      { kind: 'checkboxes', choices: options.slice(1), other: false, least: 0, most: NO_LIMIT, unique: true },
    ],
    [{ type: 'rating' }, { kind: 'rating', least: 1, most: 5 }],
    [{ type: 'nps' }, { kind: 'rating', least: 0, most: 10 }],
    [
      { type: 'scale', min: 0, max: 3 },
      { kind: 'rating', least: 0, most: 3 },
    ],
    [
      { type: 'slider', min: 0, max: 1, step: 0.1 },
      { kind: 'number', least: 0, most: 1, whole: false, multipleOf: null },
    ],
    [
      { type: 'slider', min: 0.5, max: 2.5 },
      { kind: 'number', least: 0.5, most: 2.5, whole: false, multipleOf: null },
    ],
    [
      { type: 'slider', min: 0, max: 10, step: 1 },
      { kind: 'rating', least: 0, most: 10 },
    ],
    [
      { type: 'scale', min: 0.5 },
      { kind: 'rating', least: 1, most: 5 },
    ],
    [
      { type: 'matrix', rows: ['b'], columns: ['b'] },
      { kind: 'matrix', rows: options.slice(1), columns: options.slice(1) },
    ],
    [{ type: 'file' }, { kind: 'file', most: NO_LIMIT, mostBytes: null, accept: [] }],
    [
      { type: 'file', multiple: false, max_size: 9, accept: 'image/*, .PDF' },
      { kind: 'file', most: 1, mostBytes: 9, accept: ['image/*', '.pdf'] },
    ],
    [
      { type: 'score', formula: '1 + 1' },
      { kind: 'calculated', formula: parseExpression('1 + 1') },
    ],
  ];
  for (const [field, expected] of rules) assert.deepEqual(rulesOf(field), expected, JSON.stringify(field));
});

test('a pattern that RE2 refuses, or that is too long or too heavy, is ignored and reported', () => {
  for (const pattern of ['(', '(?=a)', '(a)\\1', 'a'.repeat(1_001), 'a{600}b{401}', '((a{100}){100})', 7, 'a{1001}']) {
    assert.equal((questionOf({ pattern }) as { pattern?: unknown }).pattern, null, String(pattern));
    assert.match(notesOf({ fields: [{ name: 'q', pattern }] }).join(), /fields\[0\]\.pattern: the pattern is ignored/);
  }
  for (const pattern of ['a'.repeat(1_000), 'a{600}b{400}', '(a+)+$']) {
    assert.equal((questionOf({ pattern }) as { pattern?: unknown }).pattern, pattern);
  }
  const many = Array.from({ length: 101 }, (_, i) => ({ name: `q${i}`, pattern: 'a'.repeat(1_000) }));
  assert.deepEqual(notesOf({ fields: many }), ['fields[100].pattern: the pattern is ignored: the form has too many']);
});

test('conditions are read from expressions and from rules of the older kind', () => {
  const shown: [Record<string, unknown>, string | null][] = [
    [{ showWhen: 'a == 1' }, 'a == 1'],
    [{ show_when: 'a == 1' }, 'a == 1'],
    [{ visibleIf: 'a == 1' }, 'a == 1'],
    [{ visibleIf: "{a} = 'Yes'" }, "a == 'Yes'"],
    [{ properties: { show_if: 'a == 1' } }, 'a == 1'],
    [{ conditional: { show: true, when: 'a', eq: 'x' } }, "a in ['x']"],
    [{ conditional: { show: 'false', when: 'a', eq: 'x' } }, "not (a in ['x'])"],
    [{ conditional: { show: null, when: null, eq: '' } }, null],
    [{ condition: { field: 'a', operator: 'Equals', value: 1, action: 'show' } }, 'a in [1]'],
    [{ logic: { field: 'a', operator: 'equals', value: true, action: 'Hide' } }, 'not (a in [true])'],
    [{ logic: [{ field: 'a', operator: '!=', value: 'x' }] }, "not (a in ['x'])"],
    [{ logic: { field: 'a', operator: 'is empty' } }, 'empty(a)'],
    [{ logic: { field: 'a', operator: 'contains', value: 'x' } }, "a contains 'x'"],
    [{ showWhen: 'a == 1', conditional: { show: true, when: 'a', eq: 'x' } }, "a == 1 and a in ['x']"],
    [{ showWhen: '' }, null],
    [{ showWhen: '== secret' }, null],
    [{ showWhen: 7 }, null],
    [{ logic: { field: 'a', operator: '>', value: 1 } }, null],
  ];
  for (const [field, source] of shown) {
    const [, item] = itemsOf({ fields: [{ name: 'a' }, { name: 'q', ...field }] });
    assert.deepEqual(item?.showWhen, source === null ? null : parseExpression(source), JSON.stringify(field));
  }
  for (const key of ['requireWhen', 'required_when', 'require_if']) {
    assert.deepEqual(questionOf({ [key]: 'q == 1' }).requireWhen, parseExpression('q == 1'));
  }
  const notes = notesOf({ fields: [{ name: 'q', showWhen: '== secret', requireWhen: 'gone' }] });
  assert.match(notes.join('\n'), /fields\[0\]\.showWhen: the expression is ignored: character 1: /);
  assert.match(notes.join('\n'), /a question that is not there/);
  assert.doesNotMatch(notes.join('\n'), /secret/);
});

test('an expression may speak of a question by its id or its slug', () => {
  const [, , last] = itemsOf({
    fields: [
      { name: 'First Name', id: 'x1' },
      { name: 'x2', id: 'First Name' },
      { name: 'q', showWhen: '{First Name} == 1 and x1 == 2 and first_name == 3 and x2 == 4' },
    ],
  });
  const name = '{First Name}';
  assert.deepEqual(last?.showWhen, parseExpression(`${name} == 1 and ${name} == 2 and ${name} == 3 and x2 == 4`));
});
