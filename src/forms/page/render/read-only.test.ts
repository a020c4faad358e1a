import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { questionsOf } from '../../model/questions.ts';
import { renderReadOnly } from './read-only.ts';
import { all, type Found, readTree, textIn } from './read-tree.examples.ts';
import { EVERY_KIND, viewOf } from './view.examples.ts';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';
const ANSWERS = {
  name: 'Ann & <b>Lee</b>',
  smoker: 'some',
  symptoms: ['Fever', 'My knee'],
  pregnant: false,
  pain: 4,
  mood: { 'Feeling down': 'Not at all' },
  medications: [{ drug: 'Aspirin' }],
  privacy: true,
  guardian: { confirmed: true, method: 'drawn', name: 'Bea Lee', image: PICTURE },
};

function drawn(differs = {}): Found {
  return readTree(renderReadOnly(viewOf(EVERY_KIND, { answers: ANSWERS, ...differs }), 'nonce'));
}

test('the form is there with all that was answered, and with nothing to change', () => {
  const files = { card: [{ token: 't', name: 'card.jpg', size: 1_500 }] };
  const signing = { label: 'The truth.', given: { method: 'typed', name: 'Ann Lee', confirmed: true, image: null } };
  const tree = drawn({ files, signing });
  const controls = new Set(['input', 'select', 'textarea', 'button', 'form', 'a', 'script']);
  assert.deepEqual(
    all(tree, ({ tag }) => controls.has(tag)),
    [],
  );
  const text = textIn(all(tree, ({ tag }) => tag === 'main')[0] as Found);
  const expected = [
    'Ann & <b>Lee</b>',
    '☐(not chosen) Every day',
    '☑(chosen) Now and then',
    '☑(chosen) Fever',
    '☑(chosen) My knee',
    '☑(chosen) No',
    'Feeling down: Not at all',
    'Little interest: Not answered',
    'Medication 1',
    'Aspirin',
    'card.jpg (1.5 kB)',
    '☑(chosen) Agreed',
    'The truth.',
    'Ann Lee',
    'Bea Lee',
  ];
  for (const words of expected) assert.ok(text.includes(words), words);
  assert.deepEqual(
    all(tree, ({ tag }) => tag === 'img').map(({ given }) => given['src']),
    [PICTURE],
  );
});

test('what was not asked is not there, and what was not answered says so', () => {
  const text = textIn(drawn());
  assert.doesNotMatch(text, /For how many years/);
  assert.match(text, /Phone\s*Not answered/);
});

test('all pages that were asked stand below each other, with the layout above', () => {
  const form = {
    pages: [
      { title: 'First', fields: [{ type: 'text', name: 'one' }] },
      { title: 'Second', show_when: "one == 'x'", fields: [{ type: 'text', name: 'two' }] },
      { title: 'Third', fields: [{ type: 'text', name: 'three' }] },
    ],
  };
  const layout = { html: '<blockquote>Clinic</blockquote>', css: null };
  const view = viewOf(form, { answers: { one: 'y', three: 'z' }, layout, step: 1 });
  const tree = readTree(renderReadOnly(view, 'nonce'));
  assert.deepEqual(all(tree, ({ tag }) => tag === 'h2').map(textIn), ['First', 'Third']);
  assert.equal(all(tree, ({ tag }) => tag === 'blockquote').length, 1);
});

test('whatever was answered is drawn, and a picture is only ever one of ours', () => {
  const names = questionsOf(viewOf(EVERY_KIND).model).map(({ name }) => name);
  const anyAnswer = fc.oneof(fc.jsonValue(), fc.record({ method: fc.constant('drawn'), image: fc.string() }));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), anyAnswer)), (given) => {
      const tree = drawn({ answers: Object.fromEntries(given) });
      for (const { given: picture } of all(tree, ({ tag }) => tag === 'img')) {
        assert.match(picture['src'] ?? '', /^data:image\/png;base64,/);
      }
    }),
  );
});

test('many answers in own words are drawn at once', () => {
  const answers = { symptoms: Array.from({ length: 100_000 }, (_, i) => `${'x'.repeat(90)}${i}`) };
  const before = process.cpuUsage();
  const page = renderReadOnly(viewOf(EVERY_KIND, { answers }), 'nonce');
  assert.ok(page.includes(answers.symptoms.at(-1) as string));
  const { user } = process.cpuUsage(before);
  assert.ok(user < 10_000_000, `${user / 1_000} ms: looking each of them up among all others takes a minute and more`);
});
