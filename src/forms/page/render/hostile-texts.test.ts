import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { questionsOf } from '../../model/questions.ts';
import type { PageView } from '../view.ts';
import { renderForm } from './form-page.ts';
import { all, byId, outline, readTree, textIn } from './read-tree.examples.ts';
import { EVERY_KIND, SIGNING, viewOf } from './view.examples.ts';

const NO_SCRIPT = { script: null };

/** A form with the same text in every place that a customer or a visitor writes. */
function viewWith(text: string): PageView {
  let count = 0;
  const next = () => `w${count++} ${text}`;
  const list = [next(), next()];
  const kinds = ['text', 'long_text', 'number', 'email', 'phone', 'address', 'select', 'radio', 'checkboxes', 'yes_no'];
  const more = ['matrix', 'file', 'signature', 'consent', 'hidden', 'rating'];
  const fields = [...kinds, ...more].map((type) => {
    const choices = { options: list, rows: [next()], columns: [next()], accept: [next()] };
    return { type, name: next(), label: next(), help: next(), other: true, text: next(), required: true, ...choices };
  });
  const group = { type: 'repeating group', name: next(), label: next(), fields: fields.slice(0, 3) };
  const heading = { type: 'heading', id: next(), text: next() };
  const section = { type: 'section', id: next(), title: next(), fields: fields.slice(8) };
  const form = { fields: [heading, ...fields.slice(0, 8), section, group] };
  const answers = Object.fromEntries(fields.map(({ name, type }) => [name, type === 'checkboxes' ? list : next()]));
  const view = viewOf(form, { answers });
  const paths = questionsOf(view.model).map(({ name }) => name);
  return {
    ...view,
    action: next(),
    title: next(),
    description: next(),
    signing: { label: next(), given: { method: 'drawn', name: next(), confirmed: true, image: next() } },
    problems: Object.fromEntries(paths.map((path) => [path, [next()]])),
    notes: [next()],
    files: Object.fromEntries(paths.map((path) => [path, [{ token: next(), name: next(), size: 1 }]])),
    controls: { _once: next() },
    resumable: true,
  };
}

const anyHostile = fc
  .array(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '=',
      '/',
      '<script>',
      '</script>',
      '</textarea>',
      '-->',
      ']]>',
      'x',
      ' on',
      '&lt',
      '😀',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

test('no text becomes markup, wherever it stands', () => {
  for (const assets of [NO_SCRIPT, { script: '/f/-/main.js' }]) {
    const draw = (text: string) => readTree(renderForm(viewWith(text), 'nonce', assets));
    const plain = outline(draw('plain'));
    fc.assert(
      fc.property(anyHostile, (text) => {
        const tree = draw(`${text}.`);
        assert.equal(outline(tree), plain);
        const [title] = all(tree, ({ tag }) => tag === 'h1');
        assert.ok(title && textIn(title).endsWith(` ${text}.`));
        for (const help of all(tree, ({ given }) => given['id']?.startsWith('help-') ?? false)) {
          assert.ok(textIn(help).endsWith(` ${text}.`));
        }
      }),
      { numRuns: 60 },
    );
  }
});

test('whatever was sent as an answer, the page is drawn', () => {
  const names = questionsOf(viewOf(EVERY_KIND).model).map(({ name }) => name);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), fc.jsonValue())), (sent) => {
      const view = viewOf(EVERY_KIND, { answers: Object.fromEntries(sent), signing: SIGNING });
      const tree = readTree(renderForm(view, 'nonce', NO_SCRIPT));
      assert.ok(byId(tree, 'carepost-form'));
    }),
  );
});
