import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileVersion } from '../definition/compiled-versions.ts';
import type { Definition } from '../definition/form.ts';
import { EVERYTHING } from '../fhir/everything.examples.ts';
import { anyFormWithAnswers } from '../model/form.examples.ts';
import { sumUp } from './change.ts';
import { diffVersions } from './diff.ts';

type Field = Record<string, unknown>;

const BLANK: Definition = {
  form_json: null,
  form_html: null,
  form_css: null,
  signable: false,
  signature_confirmation_label: null,
};

const version = (definition: Partial<Definition>) => compileVersion({ ...BLANK, ...definition, version: 1 });
const diff = (before: object, after: object) =>
  diffVersions(version({ form_json: { ...before } }), version({ form_json: { ...after } }));
const sentences = (before: object, after: object) => diff(before, after).map(({ sentence }) => sentence);

test('what is the same has no differences, and what only is written otherwise says so', () => {
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form }) => {
      assert.deepEqual(diff(form, structuredClone(form)), []);
      assert.deepEqual(sentences(form, { ...form, note_to_self: 1 }), [
        'The definition is written otherwise, and asks the same.',
      ]);
    }),
  );
  assert.deepEqual(sentences(EVERYTHING, { ...EVERYTHING, x: 1 }).length, 1);
});

/** Some fields with ids and labels. */
const anyFields: fc.Arbitrary<Field[]> = anyFormWithAnswers.map(({ form }) => {
  const inside = form.fields.flatMap((field) => (field['type'] === 'section' ? (field['fields'] as Field[]) : [field]));
  const asked = inside.filter(({ type }) => type !== 'repeating group');
  return asked.map((field, i) => ({ ...field, id: `id${i}`, label: `Label ${i}` }));
});

/** Ways to change the field at a place, each with what has to be told of it. */
const EDITS: Record<string, (fields: Field[], at: number) => Field[]> = {
  added: (fields, at) => fields.toSpliced(at, 0, { id: 'new', name: 'new', label: 'New', type: 'text' }),
  removed: (fields, at) => fields.toSpliced(at, 1),
  renamed: (fields, at) => change(fields, at, { name: 'another' }),
  relabelled: (fields, at) => change(fields, at, { label: 'Another' }),
  kind: (fields, at) => change(fields, at, { type: fields[at]?.['type'] === 'file' ? 'text' : 'file' }),
  rule: (fields, at) => change(fields, at, { required: fields[at]?.['required'] !== true }),
  condition: (fields, at) => change(fields, at, { showWhen: '1 == 2' }),
};

function change(fields: Field[], at: number, what: Field): Field[] {
  return fields.with(at, { ...fields[at], ...what });
}

test('every change is told, of the question it was made to', () => {
  fc.assert(
    fc.property(anyFields, fc.constantFrom(...Object.keys(EDITS)), fc.nat(), (fields, edit, place) => {
      const at = place % fields.length;
      const changed = EDITS[edit]?.(fields, at) ?? [];
      const item = edit === 'added' ? 'new' : fields[at]?.['id'];
      const found = diff({ fields }, { fields: changed });
      assert.ok(
        found.some((each) => each.change === edit && each.item === item),
        JSON.stringify({ edit, item, found }),
      );
      assert.ok(found.every(({ sentence }) => /^[A-Z].*\.$/s.test(sentence)));
      // A question that goes or comes takes its conditions along; nothing else changes but what spoke of it.
      const isElsewhere = ({ change: kind, before, after }: (typeof found)[number]) =>
        kind === 'condition' && before === after;
      assert.ok(
        found.every((each) => each.item === item || isElsewhere(each)),
        JSON.stringify({ edit, item, found }),
      );
    }),
  );
});

test('a question that was moved is told, and those that stayed are not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.nat(), fc.nat(), (count, from, to) => {
      const fields = Array.from({ length: count }, (_, i) => ({ name: `q${i}` }));
      const at = from % count;
      const moved = fields.toSpliced(at, 1).toSpliced(to % count, 0, { name: `q${at}` });
      const found = diff({ fields }, { fields: moved });
      const distance = Math.abs(at - (to % count));
      assert.deepEqual(
        found.map(({ change: kind }) => kind),
        distance === 0 ? [] : ['moved'],
      );
      if (distance > 1) assert.equal(found[0]?.item, `q${at}`);
    }),
  );
});

test('changes are told in words that a reader of the form understands', () => {
  const before = {
    pages: [
      {
        id: 'p',
        title: 'You',
        fields: [
          { id: 'a', name: 'name', label: 'Your name', type: 'text', max_length: 20 },
          {
            id: 'b',
            name: 'smoker',
            label: 'Do you smoke?',
            type: 'radio',
            options: ['yes', { value: 'no', label: 'no', score: 1 }],
          },
          { id: 'c', name: 'years', label: 'How long?', type: 'number', show_when: 'smoker == "yes"' },
          { type: 'heading', id: 'h', text: 'Thanks' },
        ],
      },
    ],
  };
  const after = {
    attachments: false,
    translations: { de: { title: 'x' } },
    pages: [
      {
        id: 'p',
        title: 'About you',
        fields: [
          { id: 'a', name: 'full_name', label: 'Your full name', type: 'text', max_length: 40, required: true },
          {
            id: 'b',
            name: 'smoker',
            label: 'Do you smoke?',
            type: 'radio',
            options: [{ value: 'yes', label: 'Yes' }, { value: 'no', label: 'no', score: 2 }, 'at times'],
          },
        ],
      },
      {
        id: 'q',
        title: 'More',
        fields: [
          { id: 'c', name: 'years', label: 'How long?', type: 'number', show_when: 'smoker == "yes" or full_name' },
          { type: 'heading', id: 'h', text: 'Thanks' },
          { id: 'd', name: 'sign', label: 'Sign here', type: 'signature' },
        ],
      },
    ],
  };
  assert.deepEqual(sentences(before, after), [
    'The page "More" was added behind the page "About you".',
    'The question "Sign here" was added behind the heading "Thanks".',
    'The question "How long?" was moved to the beginning of the page "More".',
    'The heading "Thanks" was moved behind the question "How long?".',
    'The page "You" reads "About you" now.',
    'The question "Your name" reads "Your full name" now.',
    'The question "Your full name" has the name "full_name" now, and not "name".',
    'The question "Your full name" has to be answered now.',
    'The question "Your full name": the greatest length changed from 20 to 40.',
    'The choice "at times" was added to the question "Do you smoke?".',
    'The choice "yes" of the question "Do you smoke?" reads "Yes" now.',
    'The choice "no" of the question "Do you smoke?" counts 2 now, and not 1.',
    'The question "How long?" is shown where smoker == "yes" or full_name; before: where smoker == "yes".',
    'The form takes no files any more.',
    'The languages or translations of the form changed.',
  ]);
  assert.match(sumUp(diff(before, after)), /^15 changes: 2 added, 2 moved, 2 reworded, 1 renamed, 2 rules changed, /);
});

const formNaming = (name: string) => ({
  fields: [
    { id: 'a', name, type: 'text' },
    { name: 'b', type: 'text', show_when: `${name} == "x"` },
  ],
});

test('that a question was renamed changes no condition', () => {
  assert.deepEqual(
    diff(formNaming('one'), formNaming('two')).map(({ change: kind }) => kind),
    ['relabelled', 'renamed'],
  );
});

const toldOf = (before: Partial<Definition>, after: Partial<Definition>) =>
  diffVersions(version(before), version(after)).map(({ sentence }) => sentence);

test('layout and signature are told', () => {
  assert.deepEqual(toldOf({}, { form_html: '<p>' }), ['The HTML of the layout was added.']);
  assert.deepEqual(toldOf({ form_css: 'a' }, { form_css: 'b' }), ['The CSS of the layout changed.']);
  assert.deepEqual(toldOf({}, { signable: true, signature_confirmation_label: 'Yes' }), [
    'The form is signed now.',
    'What is confirmed by signing reads "Yes" now.',
  ]);
  assert.deepEqual(toldOf({}, { form_json: { fields: [] } }), [
    'The page without a title was added to the beginning of the form.',
    'The form asks questions of its own now.',
  ]);
});

const formWith = (rows: unknown[], inner: object[]) => ({
  fields: [
    { name: 'm', label: 'Grid', type: 'matrix', rows, columns: ['x'] },
    { name: 'g', label: 'Drugs', type: 'repeating group', fields: inner },
  ],
});

test('rows, columns and the questions in a group are told', () => {
  assert.deepEqual(
    sentences(
      formWith(['a', 'b'], [{ name: 'm' }]),
      formWith(['b', 'a', 'c'], [{ name: 'm', label: 'Name' }, { name: 'd' }]),
    ),
    [
      'The question "d" was added behind the question "Name".',
      'The row "c" was added to the question "Grid".',
      'The rows of the question "Grid" stand in another order.',
      'The question "m" reads "Name" now.',
    ],
  );
});

test('that a choice of a JSON Schema is kept as something else is told', () => {
  const [before, after] = [
    ['1', 'true'],
    [1, true],
  ].map((values) => ({ properties: { pain: { enum: values } } }));
  assert.deepEqual(sentences({ ...before }, { ...after }), [
    'The choice "1" of the question "pain" is kept as a number now, and not as text.',
    'The choice "true" of the question "pain" is kept as true or false now, and not as text.',
  ]);
});
