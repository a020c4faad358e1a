import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileForm, explainForm } from './compile.ts';
import { type FormModel, type Item, type Question, type RepeatingGroup } from './form-model.ts';
import { toJsonSchema } from './json-schema.ts';
import { todayAt } from './today.ts';
import { checkAnswers } from './validate.ts';

const TODAY = todayAt(new Date('2026-05-16T09:00:00Z'));

function itemsOf(formJson: unknown): Item[] {
  return compileForm(formJson).pages.flatMap((page) => page.items);
}

function notesOf(formJson: unknown): string[] {
  return explainForm(formJson).notes.map(({ path, note }) => `${path}: ${note}`);
}

test('each shape is recognised, and everything else is unknown', () => {
  const shapes: [unknown, FormModel['shape']][] = [
    [{ body: [] }, 'body'],
    [{ fields: [] }, 'fields'],
    [{ pages: [] }, 'pages'],
    [{ properties: {} }, 'json-schema'],
    [{ body: 'text' }, 'unknown'],
    [{ fields: { a: 1 } }, 'unknown'],
    [{ properties: [] }, 'unknown'],
    [{}, 'unknown'],
    [[], 'unknown'],
    [[{ type: 'text', name: 'a' }], 'unknown'],
    [null, 'unknown'],
    ['text', 'unknown'],
    [7, 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [form, shape] of shapes) assert.equal(compileForm(form).shape, shape, JSON.stringify(form));
});

const askedBy = (form: unknown) =>
  itemsOf(form).map(
    (item) => item.kind !== 'heading' && item.kind !== 'section' && [item.kind, item.name, item.required],
  );

test('the same questions come from every shape', () => {
  const expected = [
    ['text', 'first_name', true],
    ['email', 'mail', false],
  ];
  for (const form of [
    {
      body: [
        { type: 'Text', id: 'x1', properties: { field_name: 'first_name', text: 'First', required: true } },
        { type: 'Email', id: 'mail' },
      ],
    },
    {
      fields: [
        { type: 'text', name: 'first_name', required: 'true' },
        { label: 'mail', type: 'email', required: 'no' },
      ],
    },
    { pages: [{ fields: [{ name: 'first_name', required: true }] }, { elements: [{ key: 'mail', type: 'e-mail' }] }] },
    {
      pages: [
        {
          body: [
            { name: 'first_name', validate: { required: true } },
            { key: 'mail', type: 'E_MAIL' },
          ],
        },
      ],
    },
    {
      properties: { first_name: { type: 'string' }, mail: { type: 'string', format: 'email' } },
      required: ['first_name'],
    },
  ]) {
    assert.deepEqual(askedBy(form), expected, JSON.stringify(form));
  }
});

test('a name is field_name, name, id, key or label, and a stable id is id, key or the name', () => {
  const named: [Record<string, unknown>, name: string, id: string][] = [
    [{ properties: { field_name: 'a' }, name: 'b', id: 'c', key: 'd', label: 'e' }, 'a', 'c'],
    [{ name: 'b', id: 'c', key: 'd', label: 'e' }, 'b', 'c'],
    [{ id: 'c', key: 'd', label: 'e' }, 'c', 'c'],
    [{ key: 'd', label: 'e' }, 'd', 'd'],
    [{ name: 'b', key: 'd' }, 'b', 'd'],
    [{ label: 'e' }, 'e', 'e'],
    [{ name: ' ', id: 7 }, '7', '7'],
    [{ properties: { name: 'n' } }, 'n', 'n'],
  ];
  for (const [field, name, id] of named) {
    const [item] = itemsOf({ body: [field] }) as Question[];
    assert.deepEqual([item?.name, item?.id], [name, id], JSON.stringify(field));
  }
  assert.match(notesOf({ fields: [{ type: 'text' }] }).join(), /fields\[0\]: a question without a name/);
});

test('pages, page breaks and sections hold what stands in or behind them', () => {
  const { pages } = compileForm({
    body: [
      { type: 'text', name: 'a' },
      { type: 'Page Break', title: 'Second', showWhen: 'a == 1' },
      { type: 'section', title: 'S', fields: [{ name: 'b' }, { type: 'group', items: [{ name: 'c' }] }] },
      { type: 'page', id: 'p3', elements: [{ name: 'd' }] },
    ],
  });
  assert.deepEqual(
    pages.map(({ id, title, showWhen }) => [id, title, showWhen !== null]),
    [
      ['page-1', null, false],
      ['page-2', 'Second', true],
      ['p3', null, false],
    ],
  );
  assert.deepEqual(
    pages.map(({ items }) => items.length),
    [1, 1, 1],
  );
});

test('a JSON Schema gives the kinds and rules that its keywords mean', () => {
  const properties = {
    text: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', title: 'Text' },
    long: { type: ['null', 'string'], maxLength: 2_000 },
    date: { type: 'string', format: 'date' },
    whole: { type: 'integer', minimum: 1, maximum: 5 },
    yes: { type: 'boolean' },
    pick: { enum: ['a', 1, null] },
    titled: { oneOf: [{ const: 'a', title: 'A' }] },
    many: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2 },
    free: { type: 'array', items: { type: 'string' } },
    once: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    meds: { type: 'array', items: { properties: { dose: { type: 'number' } }, required: ['dose'] }, maxItems: 3 },
    home: { type: 'object', properties: { city: { type: 'string' } } },
    other: { type: 'object', properties: { depth: { type: 'object' } } },
    bare: { title: 'Bare' },
    odd: 7,
  };
  const items = itemsOf({ properties }) as (Question | RepeatingGroup)[];
  assert.deepEqual(
    items.map(({ name, kind }) => `${name} ${kind}`),
    [
      'text text',
      'long long_text',
      'date date',
      'whole number',
      'yes yes_no',
      'pick select',
      'titled select',
      'many checkboxes',
      'free checkboxes',
      'once checkboxes',
      'meds group',
      'home address',
      'other hidden',
      'bare unknown',
      'odd unknown',
    ],
  );
  const unique = items.flatMap((item) => (item.kind === 'checkboxes' ? [item.unique] : []));
  assert.deepEqual(unique, [true, false, true]);
  const meds = items.find(({ name }) => name === 'meds') as RepeatingGroup;
  assert.deepEqual(
    [meds.most, (meds.items[0] as Question).name, (meds.items[0] as Question).required],
    [3, 'dose', true],
  );
  assert.equal(items[0]?.label, 'Text');
});

test('what cannot be kept is left out and reported by its place', () => {
  assert.match(
    notesOf({ fields: [{ name: 'a' }, { name: 'a' }] }).join(),
    /fields\[1\]: another question has the same name/,
  );
  const onPages = { pages: [{ fields: [{ name: 'a' }] }, { fields: [{ name: 'a' }] }] };
  assert.match(notesOf(onPages).join(), /pages\[1\]\[0\]: another question has the same name/);
  assert.match(notesOf({ fields: ['text'] }).join(), /fields\[0\]: an element is an object/);
  assert.match(notesOf({ fields: [{ type: 'score', name: 'a' }] }).join(), /without a formula/);
  for (const type of ['secret', 'list']) {
    assert.match(notesOf({ fields: [{ type, name: 'a' }] }).join(), /type is not known/);
  }
  for (const type of ['name', 'anything']) assert.deepEqual(notesOf({ fields: [{ type, name: 'a' }] }), []);
  const inGroup = [
    { type: 'section', fields: [{ name: 'a' }] },
    { type: 'list', name: 'b', fields: [] },
    { name: 'c' },
  ];
  const [group] = itemsOf({ fields: [{ type: 'list', name: 'g', fields: inGroup }] }) as [RepeatingGroup];
  assert.equal(group.items.length, 1);
  assert.deepEqual(notesOf({ fields: [{ name: 'a', type: 'text', required: true, minLength: 1 }] }), []);
});

const formOf = (count: number) => ({ fields: Array.from({ length: count }, (_, i) => ({ name: `q${i}` })) });

const asksOf = (form: unknown) => checkAnswers(compileForm(form), { q: 1 }, [], TODAY).unasked.length === 0;

test('fields and nesting have limits, and what is at the limit is kept', () => {
  assert.equal(itemsOf(formOf(5_000)).length, 5_000);
  assert.deepEqual(notesOf(formOf(5_000)), []);
  assert.equal(itemsOf(formOf(5_001)).length, 5_000);
  assert.deepEqual(notesOf(formOf(5_003)), ['fields[5000]: a form may have at most 5000 fields']);
  const nested = (levels: number): object =>
    levels === 1 ? { name: 'q' } : { type: 'section', fields: [nested(levels - 1)] };
  assert.ok(asksOf({ fields: [nested(8)] }));
  assert.ok(!asksOf({ fields: [nested(9)] }));
  assert.match(notesOf({ fields: [nested(9)] }).join(), /at most 8 levels/);
});

const entries = (count: number, blanks = 0) => [
  ...Array.from({ length: count }, () => ({ a: 'x' })),
  ...Array.from({ length: blanks }, () => ({ a: '' })),
];

test('a group that sets no limit takes a hundred entries, and more than that are not even read', () => {
  const model = compileForm({ fields: [{ type: 'list', name: 'g', fields: [{ name: 'a' }] }] });
  assert.deepEqual(checkAnswers(model, { g: entries(100, 100) }, [], TODAY).answers, { g: entries(100) });
  assert.deepEqual(checkAnswers(model, { g: entries(100) }, [], TODAY).problems, {});
  for (const count of [101, 20_000]) {
    const { answers, problems } = checkAnswers(model, { g: entries(count) }, [], TODAY);
    assert.deepEqual([answers, problems], [{ g: entries(count) }, { g: ['Please add at most 100 entries.'] }]);
  }
});

const counted = (counts: object): unknown[] => {
  const form = { fields: [{ type: 'list', name: 'g', ...counts, fields: [{ name: 'a' }] }] };
  const [{ least, most }] = itemsOf(form) as [RepeatingGroup];
  return [least, most, ...notesOf(form)];
};

test('a group demands at most a hundred entries and takes at most a thousand, and its author is told', () => {
  assert.deepEqual(counted({ min: 100, max: 1_000 }), [100, 1_000]);
  assert.deepEqual(counted({ min: 101, max: 200 }), [100, 200, 'fields[0]: the group may demand at most 100 entries']);
  assert.deepEqual(counted({ max: 1_001 }), [0, 1_000, 'fields[0]: the group takes at most 1000 entries']);
  assert.deepEqual(counted({ min: 1_000_000, max: 2_000_000 }).slice(0, 2), [100, 1_000]);
  assert.deepEqual(counted({ min: 3, max: 2 }).slice(0, 2), [0, 100]);
});

const group = (questions: number, more: object = {}, inEach: object = {}) => {
  const fields = Array.from({ length: questions }, (_, i) => ({ name: `q${i}`, ...inEach }));
  return { type: 'list', max: 1_000, ...more, fields };
};

const countsOf = (...groups: object[]) =>
  itemsOf({ fields: groups.map((each, i) => ({ ...each, name: `g${i}` })) }).map((item) => {
    const { least, most } = item as RepeatingGroup;
    return [least, most];
  });

test('the entries of a group have twenty thousand questions and choices in proportion, and those of a form ten times as many', () => {
  assert.deepEqual(countsOf(group(19)), [[0, 1_000]]);
  assert.deepEqual(countsOf(group(20)), [[0, 952]]);
  assert.deepEqual(countsOf(group(199), group(4_700)), [
    [0, 100],
    [0, 4],
  ]);
  assert.deepEqual(countsOf(group(199, { min: 100 })), [[50, 100]]);
  assert.deepEqual(countsOf(...Array.from({ length: 12 }, () => group(199))).slice(9), [
    [0, 100],
    [0, 1],
    [0, 1],
  ]);
  const options = Array.from({ length: 5_000 }, (_, i) => `${i}`);
  assert.deepEqual(countsOf(group(1, { min: 100 }, { type: 'select', options })), [[39, 79]]);
  const table = { type: 'matrix', rows: options.slice(0, 10), columns: options.slice(0, 500) };
  assert.deepEqual(countsOf(group(1, {}, table)), [[0, 79]]);
});

const blanks = (count: number) => [{ q0: 'x' }, ...Array.from({ length: count }, () => ({ q0: '' }))];

test('blank entries at the end are read while all of them have twenty thousand questions', () => {
  const fields = Array.from({ length: 2_000 }, (_, i) => ({ name: `q${i}` }));
  const model = compileForm({ fields: [{ type: 'list', name: 'g', max: 2, fields }] });
  assert.deepEqual(checkAnswers(model, { g: blanks(9) }, [], TODAY).problems, {});
  assert.deepEqual(Object.keys(checkAnswers(model, { g: blanks(10) }, [], TODAY).problems), ['g']);
});

/** A condition that takes 10,399 steps: a hundred times two values, a sign and the whole of an answer; and what joins them. */
const CONDITION = Array(100).fill('a contains "b"').join(' or ');

const asked = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `q${i}`, show_when: CONDITION }));

/** What is told of a form with all these conditions and twenty rules of the older kind, and so many more. */
function older(count: number): string[] {
  const rules = Array.from({ length: 20 }, () => ({ field: 'a', operator: 'contains', value: 'b' }));
  const last = [
    { name: 'b', conditional: rules },
    { name: 'c', conditional: rules.slice(0, count) },
  ];
  return notesOf({ fields: [{ name: 'a' }, ...asked(192), ...last] });
}

test('the expressions of a form take two million steps, and one that goes beyond is ignored', () => {
  assert.deepEqual(notesOf({ fields: [{ name: 'a' }, ...asked(192)] }), []);
  const beyond = { fields: [{ name: 'a' }, ...asked(193), { name: 'b', show_when: 'a == 1' }] };
  assert.deepEqual(notesOf(beyond), [
    'fields[193].showWhen: the expression is ignored: those of the form are too much work together',
  ]);
  assert.deepEqual(
    itemsOf(beyond)
      .slice(-2)
      .map(({ showWhen }) => showWhen !== null),
    [false, true],
  );
  assert.deepEqual(older(12), []);
  assert.match(
    older(13).join(),
    /^fields\[194\]\.condition: the expression is ignored: those of the form are too much/,
  );
});

/** Questions below two sections whose conditions speak of all of them: each waits for itself. */
function circleOf(count: number) {
  const names = Array.from({ length: count }, (_, i) => `q${i}`);
  const parts = names.map((name) => `${name} contains '1'`);
  const [one, other] = [parts.slice(0, count / 2), parts.slice(count / 2)].map((half) => half.join(' or '));
  const inner = { type: 'section', show_when: one, fields: names.map((name) => ({ name })) };
  return { fields: [{ type: 'section', show_when: other, fields: [inner] }] };
}

test('the condition of a section counts for each question in it that waits for itself', () => {
  assert.deepEqual(notesOf(circleOf(138)), []);
  assert.notEqual(itemsOf(circleOf(138))[0]?.showWhen, null);
  assert.deepEqual(notesOf(circleOf(140)), [
    ': the conditions of pages and sections are ignored: too many questions wait for each other by them',
  ]);
  const [outer] = itemsOf(circleOf(140));
  assert.ok(outer?.kind === 'section');
  assert.deepEqual([outer.showWhen, outer.items[0]?.showWhen], [null, null]);
  assert.deepEqual(checkAnswers(compileForm(circleOf(140)), { q0: 'x' }, [], TODAY).unasked, []);
  assert.deepEqual(checkAnswers(compileForm(circleOf(138)), { q0: 'x' }, [], TODAY).unasked, ['q0']);
});

test('the expressions in a group count for each entry, so that it takes as many as there is room for', () => {
  const fields = [{ name: 'a' }, ...asked(2)];
  const list = { name: 'g', type: 'list', max: 1_000, fields };
  assert.deepEqual(countsOf(list, { ...list, fields: [{ name: 'a' }] }), [
    [0, 96],
    [0, 1_000],
  ]);
  assert.deepEqual(notesOf({ fields: [list] }), ['fields[0]: the group takes at most 96 entries']);
  const model = compileForm({ fields: [list] });
  assert.deepEqual(checkAnswers(model, { g: blanks(95) }, [], TODAY).problems, {});
  assert.deepEqual(Object.keys(checkAnswers(model, { g: blanks(96) }, [], TODAY).problems), ['g']);
});

test('what was chosen is not gone through for each value that is looked for', () => {
  const chosen = many(4_000);
  const fields = Array.from({ length: 4 }, (_, i) => ({
    name: `q${i}`,
    show_when: `c in [-1${many(300).join(',-1')}]`,
  }));
  const form = [
    { name: 'c', type: 'checkboxes', options: chosen },
    { name: 'g', type: 'list', max: 1_000, fields },
  ];
  assert.deepEqual(notesOf({ fields: form }), []);
  const model = compileForm({ fields: form });
  const g = Array.from({ length: 500 }, () => ({ q0: 'x' }));
  const before = process.cpuUsage();
  assert.deepEqual(checkAnswers(model, { c: chosen, g }, [], TODAY).problems, {});
  const { user } = process.cpuUsage(before);
  assert.ok(user < 15_000_000, `${user} µs`); // it took minutes
});

const many = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

const table = (name: string, rows: number, columns: number) => {
  return { name, type: 'matrix', rows: many(rows), columns: many(columns) };
};

test('the tables of a form have ten thousand cells, and one that goes beyond is ignored', () => {
  const within = [table('a', 100, 99), table('b', 100, 0)];
  assert.deepEqual(notesOf({ fields: within }), []);
  assert.equal(itemsOf({ fields: within }).length, 2);
  const beyond = { fields: [...within, table('c', 1, 1), { name: 'd' }] };
  assert.deepEqual(notesOf(beyond), [
    'fields[2]: the tables of a form may have at most 10000 cells: this one is ignored',
  ]);
  assert.deepEqual(askedBy(beyond), askedBy({ fields: [...within, { name: 'd' }] }));
  assert.deepEqual(itemsOf({ fields: [table('huge', 5_000, 5_000)] }), []);
});

test('files are refused only by a form that says so at its top', () => {
  assert.equal(compileForm({ fields: [], attachments: false }).takesFiles, false);
  for (const attachments of [true, 'false', null, undefined]) {
    assert.equal(compileForm({ fields: [], attachments }).takesFiles, true);
  }
});

test('whatever a form is, it is read, checked and described without an error', () => {
  const word = fc.constantFrom(
    'text',
    'select',
    'matrix',
    'list',
    'section',
    'page',
    'score',
    'file',
    'rating',
    'date',
    'x',
  );
  const key = fc.constantFrom(
    'type',
    'name',
    'id',
    'fields',
    'body',
    'pages',
    'properties',
    'items',
    'options',
    'required',
    'min',
    'max',
    'pattern',
    'showWhen',
    'logic',
    'conditional',
    'field',
    'value',
    'rows',
    'formula',
    'accept',
    'enum',
    'format',
    '__proto__',
  );
  const anyForm = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue({ maxDepth: 1 }),
      word,
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        anyForm,
        fc.array(anyForm).map((fields) => ({ fields })),
      ),
      fc.dictionary(key, fc.jsonValue()),
      (form, answers) => {
        const model = compileForm(form);
        toJsonSchema(model);
        const verdict = checkAnswers(model, answers, [], TODAY);
        if (model.shape === 'unknown') assert.deepEqual(verdict, { answers, problems: {}, unasked: [] });
        assert.deepEqual(JSON.parse(JSON.stringify(model)), JSON.parse(JSON.stringify(compileForm(form))));
      },
    ),
    { numRuns: 1_000 },
  );
  const wide = { $defs: { All: { enum: Array.from({ length: 5_000 }, (_, i) => `choice ${i}`) } } };
  const referring = Array.from({ length: 5_000 }, (_, i) => [`q${i}`, { $ref: '#/$defs/All' }]);
  const { pages } = compileForm({ ...wide, properties: Object.fromEntries(referring) });
  const unfolded = pages.flatMap(({ items }) => items).filter(({ kind }) => kind === 'select');
  assert.ok(unfolded.length > 5 && unfolded.length < 50, 'references bring in no more than is good for anybody');
  const deep = JSON.parse(`${'{"properties":{"a":{"type":"array","items":'.repeat(5_000)}{}${'}}}'.repeat(5_000)}`);
  assert.equal(compileForm(deep).shape, 'json-schema');
});
