import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileVersion } from '../definition/compiled-versions.ts';
import { compileForm } from '../model/compile.ts';
import { anyFormWithAnswers } from '../model/form.examples.ts';
import type { Item } from '../model/form-model.ts';
import { signersOf } from '../signing/signers-of.ts';
import { EVERYTHING } from './everything.examples.ts';
import { LinkIds } from './link-ids.ts';
import { toQuestionnaire } from './questionnaire.ts';
import { fromQuestionnaire } from './read-questionnaire.ts';
import { MOST_ITEMS } from './readable-size.ts';
import type { QuestionnaireItem } from './resources.ts';

const FORM = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  title: 'Intake',
  description: 'Before',
  active: true,
  archived: false,
};

function exported(formJson: Record<string, unknown>) {
  const version = compileVersion({
    version: 3,
    form_json: formJson,
    form_html: null,
    form_css: null,
    signable: true,
    signature_confirmation_label: 'All true.',
  });
  return toQuestionnaire(FORM, { ...version, created_at: new Date('2026-01-02T03:04:05Z') }, 'https://clinic.example');
}

function linkIdsIn({ item = [] }: Pick<QuestionnaireItem, 'item'>): string[] {
  return item.flatMap((each) => [each.linkId, ...linkIdsIn(each)]);
}

/** What a form asks, whatever shape it was written in. */
function asked(formJson: unknown) {
  const { shape, ...model } = compileForm(formJson);
  return { ...model, isKnown: shape !== 'unknown' };
}

function assertSame(formJson: Record<string, unknown>): void {
  const read = fromQuestionnaire(JSON.parse(JSON.stringify(exported(formJson))));
  assert.deepEqual(asked(read.form_json), asked(formJson));
}

test('a form with everything in it comes back as it was', () => {
  assertSame(EVERYTHING);
  const read = fromQuestionnaire(exported(EVERYTHING));
  assert.deepEqual(read.notes, []);
  assert.equal(read.title, FORM.title);
  assert.equal(read.description, FORM.description);
  assert.equal(read.signable, true);
  assert.equal(read.signature_confirmation_label, 'All true.');
});

test('any form comes back as it was', () => {
  fc.assert(fc.property(anyFormWithAnswers, ({ form }) => assertSame(form)));
});

test('a form that takes any answers, and one without files, come back as they were', () => {
  for (const form of [
    {},
    { something: 1 },
    { pages: [] },
    { fields: [] },
    { fields: [], attachments: false },
    { attachments: false },
  ]) {
    assertSame(form);
  }
});

test('what is equal or beside each other by its id is told apart', () => {
  assertSame({
    fields: [
      { id: 'a', name: 'one', type: 'text' },
      { id: 'a', name: 'two', type: 'text' },
      { id: 'a.help', name: 'three', type: 'text', help: 'x' },
      { id: 'a-2', name: 'four', type: 'text', help: 'y' },
      { id: 'm', name: 'm', type: 'matrix', rows: ['r', 'help'], columns: ['c'], help: 'z' },
      { id: 'm.r', name: 'five', type: 'heading', text: 'T' },
      { name: 'g', type: 'repeating group', fields: [{ name: 'one', type: 'text', show_when: 'one == "x"' }] },
    ],
  });
  const fields = [
    { id: 'a', name: 'b' },
    { id: 'a', name: 'c' },
    { id: 'page-1', name: 'd' },
  ];
  assert.equal(new Set(linkIdsIn(exported({ fields }))).size, 4);
});

/** How often is looked into the questions of a form, so many and all with one id, until each has a linkId of its own. */
function looksInto(count: number): number {
  let looks = 0;
  const get = (item: object, key: string | symbol): unknown => {
    looks += 1;
    return Reflect.get(item, key);
  };
  const model = compileForm({ fields: Array.from({ length: count }, (_, i) => ({ name: `q${i}`, id: 'same' })) });
  const pages = model.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => new Proxy<Item>(item, { get })),
  }));
  const ids = new LinkIds({ ...model, pages });
  assert.equal(new Set(pages.flatMap(({ items }) => items.map((item) => ids.of(item)))).size, count);
  return looks;
}

test('thousands of questions with one id are told apart as quickly as they are many', () => {
  assert.ok(looksInto(4_000) < 5 * looksInto(1_000));
});

test('a form in several languages comes back in all of them', () => {
  const fields = [
    { type: 'heading', id: 'h', text: 'Welcome' },
    { id: 'n', name: 'name', label: 'Name', help: 'As on your card', type: 'text' },
    { name: 'mood', label: 'Mood', type: 'radio', options: ['good', { value: 'bad', label: 'Bad' }] },
    { name: 'm', label: 'Grid', type: 'matrix', rows: ['a', 'b'], columns: ['x', 'y'] },
    { name: 'c', label: 'Agree', type: 'consent', consent_text: 'To all' },
    { name: 'g', label: 'Group', type: 'repeating group', fields: [{ name: 'i', label: 'Inner', type: 'text' }] },
  ];
  const de = {
    title: 'Aufnahme',
    description: 'Vorher',
    items: {
      p: { title: 'Seite' },
      h: { text: 'Willkommen' },
      n: { label: 'Name?', help: 'Wie auf der Karte' },
      mood: { label: 'Stimmung', options: { good: 'gut' } },
      m: { label: 'Gitter', rows: { a: 'A', b: 'B' }, columns: { x: 'X', y: 'Y' } },
      c: { label: 'Ja', text: 'Zu allem' },
      g: { label: 'Gruppe' },
      i: { label: 'Innen' },
    },
  };
  const form = { language: 'fr', translations: { de }, pages: [{ id: 'p', title: 'Page', fields }] };
  const { form_json: read } = fromQuestionnaire(JSON.parse(JSON.stringify(exported(form))));
  assert.equal(read['language'], 'fr');
  assert.deepEqual(read['translations'], { de });
  assertSame(form);
});

test('what only a translation has stays with its own question', () => {
  const fields = [
    { name: 'm', label: 'Grid', type: 'matrix', rows: ['a', 'help'], columns: ['x'] },
    { name: 'c', label: 'Agree', type: 'consent', consent_text: 'To all' },
    { name: 'home', label: 'Home', type: 'address' },
    { name: 'g', label: 'Group', type: 'repeating group', fields: [{ name: 'i', label: 'Inner', type: 'text' }] },
    { name: 'bare', label: 'Bare', type: 'matrix', rows: [], columns: ['x'] },
    { name: 'm.help-2', label: 'Last', type: 'text' },
  ];
  const es = {
    items: {
      m: { label: 'Tabla', help: 'Una por fila', rows: { a: 'A', help: 'Ayuda' }, columns: { x: 'X' } },
      c: { help: 'Lea todo', text: 'A todo' },
      home: { label: 'Casa', help: 'Donde vive' },
      g: { help: 'Todos' },
      i: { label: 'Dentro' },
      bare: { help: 'Nada' },
      'm.help-2': { label: 'Fin' },
    },
  };
  const de = { items: { c: { text: 'Allem' }, i: { label: 'Innen', help: 'Eins' } } };
  const form = { translations: { es, de }, fields };
  const questionnaire = exported(form);
  const { form_json: read, notes } = fromQuestionnaire(JSON.parse(JSON.stringify(questionnaire)));
  assert.deepEqual(read['translations'], { es, de });
  assert.deepEqual(notes, []);
  assertSame(form);
  const ids = linkIdsIn(questionnaire);
  assert.deepEqual([ids.length, new Set(ids).size], [23, 23]);
  const own = new Set(linkIdsIn(exported({ fields })));
  assert.deepEqual(
    ids.filter((id) => !own.has(id)),
    ['m.help-3', 'c.help', 'home.help', 'g.help', 'g.i.help', 'bare.help'],
  );
});

const SIGNERS = [
  { role: 'guardian', label: 'I agree for my child.', email_question: 'guardian_email' },
  { role: 'witness', required: false },
];

test('further signers come back as they were, and so does what is confirmed in every language', () => {
  const fields = [{ name: 'guardian_email', type: 'email' }];
  const translations = { es: { signature_confirmation_label: 'Todo es verdad.', items: {} } };
  for (const form of [
    { fields, signers: SIGNERS, translations },
    { signers: SIGNERS, translations },
  ]) {
    const read = fromQuestionnaire(JSON.parse(JSON.stringify(exported(form))));
    assert.deepEqual(read.form_json['signers'], SIGNERS);
    assert.deepEqual(read.form_json['translations'], translations);
    assert.equal(read.signature_confirmation_label, 'All true.');
    assert.deepEqual(read.notes, []);
    assertSame(form);
  }
});

test('any signers come back as the form reads them', () => {
  const text = fc.option(fc.string({ unit: fc.constantFrom('a', ' ', 'é', '.') }), { nil: undefined });
  const signer = fc.record({ role: text, label: text, email_question: text, required: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.oneof(signer, fc.jsonValue()), { maxLength: 12 }), (signers) => {
      const plain = signersOf({ signers: JSON.parse(JSON.stringify(signers)) });
      assert.deepEqual(signersOf(fromQuestionnaire(exported({ signers })).form_json), plain);
    }),
  );
});

test('what others changed since is read as they left it', () => {
  const questionnaire = exported({
    fields: [
      { name: 'a', type: 'email', label: 'Old' },
      { name: 'b', type: 'radio', options: ['x'] },
    ],
  });
  const [a, b] = questionnaire.item?.[0]?.item ?? [];
  assert.ok(a !== undefined && b !== undefined);
  a.text = 'New';
  a.type = 'text';
  b.answerOption?.push({ valueCoding: { code: 'y', display: 'Y' } });
  const [first, second] = compileForm(fromQuestionnaire(questionnaire).form_json).pages[0]?.items ?? [];
  assert.ok(first?.kind === 'long_text' && first.label === 'New');
  assert.ok(second?.kind === 'radio');
  assert.deepEqual(
    second.choices.map(({ value }) => value),
    ['x', 'y'],
  );
});

test('any JSON at all is read, and what comes of it is a form', () => {
  const own = JSON.parse(JSON.stringify(exported(EVERYTHING)));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(), (junk, at) => {
      asked(fromQuestionnaire(junk).form_json);
      asked(
        fromQuestionnaire({ resourceType: 'Questionnaire', item: junk, contained: junk, extension: junk }).form_json,
      );
      asked(fromQuestionnaire(replaced(own, at, junk)).form_json);
    }),
    { numRuns: 300 },
  );
  let deep: unknown = { type: 'string', linkId: 'x' };
  for (let i = 0; i < MOST_ITEMS - 1; i += 1) deep = { type: 'group', linkId: `${i}`, item: [deep] };
  assert.ok(fromQuestionnaire({ resourceType: 'Questionnaire', item: [deep] }).notes.length > 0);
});

/** A copy with one of its parts, counted in any order, replaced. */
function replaced(value: unknown, at: number, junk: unknown): unknown {
  const parts: [object, string][] = [];
  const copy = structuredClone(value);
  const left: unknown[] = [copy];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [key, part] of Object.entries(each)) {
      parts.push([each, key]);
      left.push(part ?? 0);
    }
  }
  const [holder, key] = parts[at % parts.length] ?? [];
  if (holder !== undefined && key !== undefined) Object.assign(holder, { [key]: junk });
  return copy;
}
