import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileForm, explainForm } from '../../src/forms/model/compile.ts';
import { anyFormWithAnswers } from '../../src/forms/model/form.examples.ts';
import { questionsOf } from '../../src/forms/model/questions.ts';
import { translateForm } from '../../src/forms/model/translate.ts';
import type { Draft } from '../../web/forms/builder/draft/draft.ts';
import {
  addElement,
  duplicateElement,
  moveElement,
  removeElement,
  removePage,
  restoreElement,
  restorePage,
  stepElement,
} from '../../web/forms/builder/draft/edit.ts';
import { keyOfFinding } from '../../web/forms/builder/draft/find-finding.ts';
import { withLastingId } from '../../web/forms/builder/draft/ids.ts';
import type { Kind } from '../../web/forms/builder/draft/kinds.ts';
import { relabel, rename } from '../../web/forms/builder/draft/names.ts';
import { newElement } from '../../web/forms/builder/draft/new-element.ts';
import {
  OPTIONS,
  type Option,
  optionsOf,
  relabelOption,
  storedValues,
  withNewOptions,
  withOptions,
} from '../../web/forms/builder/draft/options.ts';
import { allElements, changeElement, findElement, spotOf } from '../../web/forms/builder/draft/tree.ts';
import { KIND_GROUPS } from '../../web/forms/builder/kind-groups.ts';
import { textsOf, withTranslation } from '../../web/forms/builder/languages/texts.ts';
import { draftOf, type Json, jsonOf, keyOf } from './builder-drafts.ts';

const FORMS: Json[] = [
  {
    pages: [{ title: 'One', fields: [{ type: 'text', name: 'a' }], own: { kept: [1] } }, { elements: [] }, {}],
    more: null,
  },
  { body: [{ type: 'text', properties: { field_name: 'A b', validate: { required: true } } }, 'stray', 7, null] },
  {
    title: 'Flat',
    fields: [
      { type: 'text', name: 'a' },
      { type: 'page', title: 'Two', fields: [{ type: 'text', name: 'b' }] },
      { type: 'text', name: 'c' },
      { type: 'page break', id: 'third' },
      { type: 'section', properties: { Fields: [{ type: 'group', repeat: true, children: [{ name: 'd' }] }] } },
      { type: 'button', name: 'send' },
      { type: 'hologram', name: 'h', depth: 3 },
    ],
    after: true,
  },
  { fields: [{ type: 'page', fields: [{ type: 'text', name: 'a' }] }], language: 'en', translations: { es: {} } },
  { pages: [{ fields: [{ type: 'text', name: 'a' }, { type: 'page' }, { type: 'text', name: 'b' }] }, { fields: [] }] },
];

test('a form that is opened and not changed is written to the letter as it was', () => {
  for (const form of FORMS) assert.equal(JSON.stringify(jsonOf(draftOf(form))), JSON.stringify(form));
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form }) => {
      assert.equal(JSON.stringify(jsonOf(draftOf({ ...form }))), JSON.stringify(form));
    }),
  );
});

test('a JSON Schema becomes the fields that the product reads from it', () => {
  const schema = {
    type: 'object',
    title: 'Old',
    required: ['a'],
    properties: { a: { type: 'string', format: 'email' }, b: { type: 'array', items: { enum: ['x', 'y'] } } },
  };
  assert.deepEqual(compileForm(jsonOf(draftOf(schema))).pages, compileForm(schema).pages);
});

test('every kind that the palette offers is one that the product knows, with nothing to complain of', () => {
  const kinds = Object.values(KIND_GROUPS).flat();
  const draft = kinds.reduce((all, kind: Kind) => {
    const { key } = all.pages[0] ?? assert.fail();
    return addElement(all, newElement(kind), { into: key, index: all.pages[0]?.items.length ?? 0 }).draft;
  }, draftOf({}));
  const { model, notes } = explainForm(jsonOf(draft));
  assert.deepEqual(notes, []);
  const made = model.pages.flatMap(({ items }) => items.map(({ kind }) => kind));
  assert.deepEqual(made, kinds);
  const names = questionsOf(model).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

/** The names of the questions on each page. */
const namesOn = (draft: Draft) =>
  draft.pages.map(({ key }) =>
    allElements(draft)
      .filter(({ page }) => page.key === key)
      .map(({ element }) => (element.raw as { name?: string }).name ?? '')
      .join(''),
  );

test('elements move up and down, out of what they stand in and on to other pages', () => {
  const form = {
    pages: [
      { fields: [{ name: 'a' }, { type: 'section', fields: [{ name: 'b' }, { name: 'c' }] }] },
      { fields: [{ name: 'd' }] },
    ],
  };
  const move = (name: string, ...steps: (1 | -1)[]) => {
    const draft = draftOf(form);
    const key = keyOf(draft, name);
    const moved = steps.reduce((all, by) => stepElement(all, key, by) ?? all, draft);
    return namesOn(moved);
  };
  assert.deepEqual(move('b', 1), ['acb', 'd']);
  assert.deepEqual(move('b', -1), ['abc', 'd'], 'out of the section, before it');
  assert.deepEqual(move('c', 1, 1), ['ab', 'cd'], 'out of the section, then to the next page');
  assert.deepEqual(move('d', -1), ['abcd', '']);
  assert.deepEqual(move('a', -1), ['abc', 'd'], 'there is no further place');
  const draft = draftOf(form);
  const section = draft.pages[0]?.items[1]?.key ?? '';
  assert.equal(moveElement(draft, section, { into: section, index: 0 }), null, 'nothing stands in itself');
});

test('a group takes questions, and nothing that holds others', () => {
  const draft = draftOf({
    fields: [
      { type: 'repeating group', name: 'g', fields: [] },
      { type: 'section', fields: [] },
    ],
  });
  const [group, section] = draft.pages[0]?.items ?? [];
  assert.equal(moveElement(draft, section?.key ?? '', { into: group?.key ?? '', index: 0 }), null);
});

test('a name follows the label while it is new, and then stays what answers are kept under', () => {
  const first = draftOf({ fields: [{ name: 'a', label: 'A' }] });
  const made = addElement(first, newElement('text'), { into: first.pages[0]?.key ?? '', index: 1 });
  const named = relabel(made.draft, made.selected ?? '', 'Größe in cm?');
  const raw = findElement(named, made.selected)?.element.raw ?? assert.fail();
  assert.equal((raw as Json)['name'], 'große_in_cm');
  const old = relabel(first, keyOf(first, 'a'), 'Altogether');
  assert.deepEqual(jsonOf(old), { fields: [{ name: 'a', label: 'Altogether' }] });
});

test('what speaks of a question follows when it is renamed, and exports still know it', () => {
  const form = {
    fields: [
      { type: 'radio', name: 'smoker', options: ['yes', 'no'] },
      {
        type: 'number',
        name: 'years',
        show_when: 'smoker == "yes" and not empty(smoker)',
        require_when: 'smokers > 1',
      },
      { type: 'email', name: 'mail' },
    ],
    signers: [{ role: 'guardian', email_question: 'mail' }],
  };
  const draft = draftOf(form);
  const renamed = rename(rename(draft, keyOf(draft, 'smoker'), 'does smoke'), keyOf(draft, 'mail'), 'address');
  const json = jsonOf(renamed) as { fields: Json[]; signers: Json[] };
  assert.equal(json.fields[1]?.['show_when'], '{does smoke} == "yes" and not empty({does smoke})');
  assert.equal(json.fields[1]?.['require_when'], 'smokers > 1');
  assert.equal(json.fields[0]?.['id'], 'smoker');
  assert.equal(json.signers[0]?.['email_question'], 'address');
  const before = questionsOf(compileForm(form)).map(({ id }) => id);
  assert.deepEqual(
    questionsOf(compileForm(json)).map(({ id }) => id),
    before,
  );
});

test('a copy has names of its own, inside of it too', () => {
  const draft = draftOf({ fields: [{ type: 'section', id: 's', fields: [{ name: 'a' }, { name: 'b', id: 'x' }] }] });
  const copied = duplicateElement(draft, draft.pages[0]?.items[0]?.key ?? '');
  const { model, notes } = explainForm(jsonOf(copied?.draft ?? assert.fail()));
  assert.deepEqual(notes, []);
  assert.deepEqual(
    questionsOf(model).map(({ name }) => name),
    ['a', 'b', 'a_2', 'b_2'],
  );
});

test('what is kept of a choice stays when its words change, unless nobody has chosen it yet', () => {
  const raw = { type: 'radio', options: ['Yes', { text: 'No' }, { value: 3, label: 'Maybe', own: 1 }] };
  const reworded = (stored: ReadonlySet<string>) => {
    const options = optionsOf(raw, OPTIONS);
    const next = options.reduce((all, { label }, at) => relabelOption(all, at, `${label}!`, stored), options);
    return withOptions(raw, OPTIONS, next)['options'];
  };
  assert.deepEqual(reworded(new Set(['Yes', 'No', '3'])), [
    { value: 'Yes', label: 'Yes!' },
    { text: 'No!', value: 'No' },
    { value: 3, label: 'Maybe!', own: 1 },
  ]);
  assert.deepEqual(reworded(new Set()), ['Yes!', { text: 'No!' }, { value: 3, label: 'Maybe!', own: 1 }]);
});

test('a choice that is added to a stored question is kept under its own words, and never under those of another', () => {
  const raw = { type: 'radio', name: 'a', options: ['Yes', 'No'] };
  const stored = storedValues(draftOf({ fields: [raw] }), 'a', OPTIONS) ?? assert.fail();
  const written = (options: Option[]) => withOptions(raw, OPTIONS, options)['options'];
  const added = withNewOptions(withNewOptions(optionsOf(raw, OPTIONS), ['New']), ['New']);
  assert.deepEqual(written(added), ['Yes', 'No', 'New', { value: 'New 2', label: 'New' }]);
  const typed = ['Y', 'Ye', 'Yes', 'Yes ', 'Yes p', 'Yes please'].reduce(
    (options, label) => relabelOption(options, 3, label, stored),
    added,
  );
  assert.deepEqual(written(typed), ['Yes', 'No', 'New', 'Yes please']);
  assert.deepEqual(written(relabelOption(typed, 2, 'No', stored)), [
    'Yes',
    'No',
    { value: 'No 2', label: 'No' },
    'Yes please',
  ]);
  assert.equal(storedValues(draftOf({ fields: [raw] }), 'b', OPTIONS), null);
});

test('what was removed comes back where it stood, and what was changed since stays', () => {
  const before = draftOf({ pages: [{ fields: [{ name: 'a' }, { name: 'b' }] }, { fields: [{ name: 'c' }] }] });
  const standing = findElement(before, keyOf(before, 'a')) ?? assert.fail();
  const changed = stepElement(removeElement(before, standing.element.key).draft, keyOf(before, 'c'), -1);
  const restored = restoreElement(changed ?? assert.fail(), standing.element, spotOf(standing));
  assert.deepEqual(namesOn(restored?.draft ?? before), ['abc', '']);
  assert.equal(restoreElement(before, standing.element, spotOf(standing)), null);
  const [page = assert.fail(), other = assert.fail()] = before.pages;
  const alone = removePage(before, page.key).draft;
  assert.deepEqual(namesOn(restorePage(alone, page, before)?.draft ?? alone), ['ab', 'c']);
  const none = removePage(alone, other.key).draft;
  assert.deepEqual(namesOn(restorePage(none, other, alone)?.draft ?? none), ['c']);
});

test('every text that is translated is said by the product in that language, wherever it is moved', () => {
  const form = {
    fields: [
      { type: 'heading', text: 'Welcome' },
      { type: 'radio', name: 'smoker', label: 'Do you smoke?', help: 'Honestly', options: ['yes', 'no'] },
      { type: 'matrix', name: 'mood', label: 'Mood', rows: ['morning'], columns: ['good'] },
      { type: 'consent', name: 'ok', label: 'Privacy', text: 'I agree to all of it' },
      { type: 'page', title: 'Second' },
      { type: 'section', title: 'Family', fields: [{ type: 'text', name: 'mother', label: 'Mother' }] },
    ],
  };
  const opened = draftOf(form);
  const marked = [...opened.pages, ...allElements(opened).map(({ element }) => element)].reduce(
    (all, { key }) => withLastingId(all, key),
    opened,
  );
  const translated = textsOf(marked).reduce((all, text) => withTranslation(all, 'es', text, `¡${text.own}!`), marked);
  const heading = allElements(translated).find(({ element }) => (element.raw as Json)['type'] === 'heading');
  const moved = moveElement(translated, heading?.element.key ?? '', { into: translated.pages[1]?.key ?? '', index: 1 });
  const json = jsonOf(moved ?? assert.fail());
  const told = { title: 'Intake', description: null, label: null, model: compileForm(json) };
  const spoken = JSON.stringify(translateForm(told, json, 'es'));
  for (const { own } of textsOf(marked)) assert.ok(spoken.includes(`"¡${own}!"`), own);
  const silent = textsOf(translated).reduce((all, text) => withTranslation(all, 'es', text, ''), translated);
  assert.deepEqual(jsonOf(silent)['translations'], { es: {} });
});

test('what the product finds leads to where it is, by name, by id or by place', () => {
  const form = {
    fields: [
      { type: 'text', name: 'a', show_when: 'b ==' },
      { type: 'section', fields: [{ type: 'text', name: 'c', require_when: '(' }] },
      { type: 'page', title: 'Two' },
    ],
  };
  const draft = draftOf(form);
  const found = explainForm(form).notes.map(({ path }) => keyOfFinding(draft, path));
  assert.deepEqual(found, [keyOf(draft, 'a'), keyOf(draft, 'c')]);
  assert.equal(keyOfFinding(draft, 'page-2'), draft.pages[1]?.key);
  assert.equal(keyOfFinding(draft, null), null);
  const changed = changeElement(draft, keyOf(draft, 'a'), (each) => each);
  assert.equal(keyOfFinding(changed, 'a'), keyOf(draft, 'a'));
});
