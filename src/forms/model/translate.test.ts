import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileForm } from './compile.ts';
import { anyFormWithAnswers } from './form.examples.ts';
import { languagesOf, translateForm } from './translate.ts';

const FORM = {
  language: 'en',
  pages: [
    {
      id: 'p1',
      title: 'You',
      fields: [
        { type: 'heading', id: 'h', text: 'About you' },
        { type: 'text', id: 'f1', name: 'name', label: 'Name', help: 'In full' },
        {
          type: 'section',
          id: 's',
          title: 'Health',
          fields: [{ type: 'radio', name: 'smoker', options: ['yes', 'no'] }],
        },
        { type: 'matrix', name: 'mood', rows: ['low'], columns: ['never', 'often'] },
        {
          type: 'repeating group',
          name: 'drugs',
          label: 'Drugs',
          fields: [{ type: 'text', name: 'dose', label: 'Dose' }],
        },
        { type: 'consent', name: 'ok', label: 'I agree', text: 'Long terms' },
        { type: 'consent', name: 'brief', label: 'I agree to all' },
      ],
    },
  ],
  translations: {
    es: {
      title: 'Antes de su visita',
      signature_confirmation_label: 'He dicho la verdad.',
      items: {
        p1: { title: 'Usted' },
        h: { text: 'Sobre usted' },
        f1: { label: 'Nombre', help: 'Completo' },
        s: { title: 'Salud' },
        smoker: { label: '¿Fuma?', options: { yes: 'Sí' } },
        mood: { rows: { low: 'Triste' }, columns: { often: 'A menudo' } },
        drugs: { label: 'Medicinas' },
        dose: { label: 'Dosis' },
        ok: { label: 'Acepto' },
        brief: { label: 'Acepto todo' },
      },
    },
    'not a tag!': {},
    fr: 'no translation',
    'pt-BR': {},
  },
};

const told = (formJson: unknown) => ({
  model: compileForm(formJson),
  title: 'Before your visit',
  description: 'Ten minutes',
  label: 'I have told the truth.',
});

test('the languages of a form are its own and those it is translated into', () => {
  assert.deepEqual(languagesOf(FORM), ['en', 'es', 'pt-BR']);
  assert.deepEqual(languagesOf({ language: 'de', fields: [] }), ['de']);
  assert.deepEqual(languagesOf({ language: '<b>' }), ['en']);
  assert.deepEqual(languagesOf(null), ['en']);
});

test('every text is translated, and what has no translation stays', () => {
  const { model, title, description, label } = translateForm(told(FORM), FORM, 'es');
  assert.deepEqual([title, description, label], ['Antes de su visita', 'Ten minutes', 'He dicho la verdad.']);
  const [page] = model.pages;
  assert.equal(page?.title, 'Usted');
  const text = JSON.stringify(page?.items);
  for (const word of [
    'Sobre usted',
    'Nombre',
    'Completo',
    'Salud',
    '¿Fuma?',
    'Sí',
    'Triste',
    'A menudo',
    'Medicinas',
    'Dosis',
  ]) {
    assert.ok(text.includes(`"${word}"`), word);
  }
  assert.match(text, /"value":"no","label":"no"/);
  assert.match(text, /"label":"Acepto".*"text":"Long terms"/);
  assert.match(text, /"label":"Acepto todo".*"text":"Acepto todo"/);
});

test('a translation of nothing changes nothing', () => {
  const form = told(FORM);
  assert.deepEqual(translateForm(form, FORM, 'pt-BR'), form);
});

test('a form is as it is in a language it has no translation for', () => {
  for (const language of ['en', 'fr', 'de', '__proto__', 'constructor']) {
    const form = told(FORM);
    assert.equal(translateForm(form, FORM, language), form);
  }
});

test('the same translation of a model is the same model each time', () => {
  const form = told(FORM);
  assert.equal(translateForm(form, FORM, 'es').model, translateForm(form, FORM, 'es').model);
});

/** What a form asks, without its words. */
function bare(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inside: unknown) => {
    return ['title', 'text', 'label', 'help'].includes(key) ? undefined : inside;
  });
}

test('whatever stands for a translation, nothing throws and the form asks the same', () => {
  const words = [
    'q0',
    'q1',
    'group',
    'label',
    'options',
    'a',
    'rows',
    'columns',
    'r1',
    'items',
    'title',
    'help',
    'text',
  ];
  const anyPart = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), tie('tree')),
    ),
  })).tree;
  fc.assert(
    fc.property(anyFormWithAnswers, anyPart, anyPart, ({ form }, items, translation) => {
      for (const es of [translation, { items }]) {
        const formJson = { ...form, translations: { es } };
        const before = told(formJson);
        const after = translateForm(before, formJson, 'es');
        assert.deepEqual(bare(after.model), bare(before.model));
        languagesOf(formJson);
        languagesOf(translation);
        translateForm(before, translation, 'es');
      }
    }),
  );
});
