import type { FormSettings } from '../definition/form.ts';
import { explainForm } from '../model/compile.ts';
import type { FormModel } from '../model/form-model.ts';
import { checkConditions } from './check-conditions.ts';
import { checkLanguages } from './check-languages.ts';
import { checkLooks } from './check-looks.ts';
import { checkQuestions } from './check-questions.ts';
import { type Finding, warning } from './finding.ts';

type Checked = Pick<
  FormSettings,
  'title' | 'form_json' | 'form_html' | 'form_css' | 'recipient' | 'signable' | 'signature_confirmation_label'
>;

/** What the reader of a form notes, and the checks of its questions say better. */
const TOLD_ALREADY = /^(there are no choices|the shape of the form is not known)/;

/** Looks a form over before people see it; errors come first. */
export function checkForm(form: Checked): Finding[] {
  const { model, notes } = explainForm(form.form_json);
  const findings = [
    ...checkQuestions(model),
    ...checkConditions(model),
    ...checkPages(model),
    ...notes.filter(({ note }) => !TOLD_ALREADY.test(note)).map(({ path, note }) => warning(path, sentence(note))),
    ...checkLanguages(form.title, model, form.form_json),
    ...checkLooks({ css: form.form_css, html: form.form_html }),
    ...checkSettings(form),
  ];
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ severity }: Finding): number {
  return severity === 'error' ? 0 : 1;
}

function sentence(note: string): string {
  return `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
}

function checkPages({ pages }: FormModel): Finding[] {
  if (pages.length < 2) return [];
  return pages.flatMap(({ id, title, items }) => [
    ...(title === null ? [warning(id, 'The page has no title, so that nobody knows where they are.')] : []),
    ...(items.length === 0 ? [warning(id, 'The page is empty.')] : []),
  ]);
}

function checkSettings({ recipient, signable, signature_confirmation_label: label }: Checked): Finding[] {
  return [
    ...(recipient === null ? [warning(null, 'Nobody is told by mail when somebody fills it in.')] : []),
    ...(signable && (label ?? '').trim() === ''
      ? [warning(null, 'It is signed, and does not say what is confirmed by signing.')]
      : []),
  ];
}
