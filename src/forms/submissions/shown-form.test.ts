import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileVersion } from '../definition/compiled-versions.ts';
import { asShown, shownForm } from './shown-form.ts';

const version = compileVersion({
  version: 1,
  form_json: { language: 'de', fields: [], translations: { es: { title: 'Consentimiento' } } },
  form_html: null,
  form_css: null,
  signable: false,
  signature_confirmation_label: null,
});
const now = { title: 'Einwilligung', description: 'Neu' };

test('a form is shown in the language that was chosen, and else in its own', () => {
  assert.deepEqual(shownForm(version, now, 'es'), { ...now, title: 'Consentimiento', language: 'es' });
  assert.deepEqual(shownForm(version, now, null), { ...now, language: 'de' });
});

test('a submission is headed as it was, and one that did not keep that as the form is now', () => {
  const shown = { title: 'Alt', description: null, language: 'es' };
  const { model: _model, ...kept } = asShown({ shown }, version, now);
  assert.deepEqual(kept, shown);
  const { model: _same, ...older } = asShown({}, version, now);
  assert.deepEqual(older, { ...now, language: 'de' });
});
