import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExpression } from '../../src/forms/model/expression/parse.ts';
import { writeExpression } from '../../src/forms/model/expression/write.ts';
import { questionsFor } from '../../web/forms/builder/draft/questions.ts';
import { logoIn, withLogo } from '../../web/forms/builder/looks/logo.ts';
import { themeIn, withTheme } from '../../web/forms/builder/looks/theme.ts';
import { showWhenOf, withShowWhen } from '../../web/forms/builder/rules/condition.ts';
import { readRules } from '../../web/forms/builder/rules/read-rules.ts';
import { writeRules } from '../../web/forms/builder/rules/write-rules.ts';
import { draftOf } from './builder-drafts.ts';

const ASKED = draftOf({
  fields: [
    { type: 'radio', name: 'smoker', options: ['daily', 'never'] },
    { type: 'checkboxes', name: 'symptoms', options: ['cough', 'fever'] },
    { type: 'number', name: 'pain' },
    { type: 'date', name: 'born' },
    { type: 'yes_no', name: 'allergic' },
    { type: 'text', name: 'note' },
  ],
});

test('conditions that sentences can say are read as such and written back the same', () => {
  const questions = questionsFor(ASKED, null);
  const sayable = [
    'smoker == "daily"',
    'smoker != "daily" and pain >= 3',
    'smoker in ["daily", "never"] or not empty(note)',
    'symptoms contains "cough" and not (symptoms contains "fever") and empty(note)',
    'age(born) < 18 or age(born) >= 65',
    'allergic == true and pain > -1 and pain < 2.5',
    'born <= "2000-01-01" and note contains "x" and pain == 1 and pain != 2',
  ];
  for (const source of sayable) {
    const rules = readRules(parseExpression(source), questions) ?? assert.fail(source);
    assert.equal(writeExpression(writeRules(rules, questions) ?? assert.fail()), source);
  }
  const tooRich = [
    'smoker == "daily" and (pain > 1 or pain < 0)',
    'pain + 1 > 2',
    'gone == 1',
    'not (pain > 1)',
    'pain > pain',
  ];
  for (const source of tooRich) assert.equal(readRules(parseExpression(source), questions), null, source);
});

test('older kinds of conditions are read, and written as one expression once they change', () => {
  const raw = {
    type: 'text',
    name: 'years',
    conditional: { show: true, when: 'smoker', eq: 'daily' },
    visible_if: 'pain > 2',
  };
  assert.equal(showWhenOf(raw), 'pain > 2 and smoker in ["daily"]');
  assert.deepEqual(withShowWhen(raw, 'pain > 3'), { type: 'text', name: 'years', visible_if: 'pain > 3' });
  assert.deepEqual(withShowWhen(raw, ''), { type: 'text', name: 'years' });
});

test('colours and logo are put into what a customer wrote without touching the rest of it', () => {
  const css = '.heading { color: navy }\n:root { --round: 0; --accent: #111 }\n@media print { p { margin: 0 } }';
  const coloured = withTheme(css, '--accent', '#8a1c1c');
  assert.equal(themeIn(coloured, '--accent'), '#8a1c1c');
  assert.equal(themeIn(coloured, '--round'), '0');
  assert.ok(coloured.startsWith('.heading { color: navy }') && coloured.endsWith('@media print { p { margin: 0 } }'));
  assert.equal(withTheme(withTheme('p { margin: 0 }', '--ink', '#000'), '--ink', null).trim(), 'p { margin: 0 }');
  const logo = { src: 'data:image/png;base64,AAAA', alt: 'Maple & "Street"' };
  const html = withLogo('<h2>Hello</h2>', logo);
  assert.deepEqual(logoIn(html), logo);
  assert.equal(withLogo(withLogo(html, { ...logo, alt: '' }), null), '<h2>Hello</h2>');
});
