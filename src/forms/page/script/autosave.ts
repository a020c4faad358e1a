import type { Answers, FormModel } from '../../model/form-model.ts';
import { questionsOf } from '../../model/questions.ts';
import { answerControls, answersElsewhere, isToChoose, typedAnswers, valuesOf } from './current-answers.ts';
import { type Control, hiddenControl, make, pathOf, questionsIn, writeHidden } from './elements.ts';
import { addressAgain, fillingOf } from './filling.ts';
import type { FormPage } from './page-data.ts';
import type { Saved, SavedAnswers } from './saved-answers.ts';
import { keptFiles } from './upload/kept-files.ts';
import type { KeptFiles } from './verdict.ts';

/** Keeps what is typed for as long as the window is open, and brings it back after a reload. */
export function autosave(page: FormPage): void {
  const { form, data } = page;
  // What only the customer may read is not left lying about either.
  if (data.sealedTo.length > 0) return;
  const { kept, opened, handOver } = fillingOf(page);
  const saved = kept.read();
  const step = hiddenControl(form, '_step').value;
  const save = (): void => {
    saved.steps[step] = valuesOf(keptControls(form));
    saved.answers = withoutSignatures(data.model, typedAnswers(page));
    saved.files = keptFiles(form);
    kept.write(saved);
  };
  // The page that answers what was sent knows better, as entries may have moved and steps been skipped.
  if (opened === 'sent') {
    save();
    standAsOpened(form);
  } else if (opened !== 'anew' && bringBack(form, saved, step)) {
    showNote(page, kept);
  }
  form.addEventListener('input', save);
  form.addEventListener('change', save);
  page.farewells.add(() => {
    save();
    handOver({ once: hiddenControl(form, '_once').value });
  });
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) {
    link.addEventListener('click', () => handOver({ address: link.href }));
  }
}

/** A signature is given for what one sees, so that it is given again where that was lost from sight. */
function keptControls(form: HTMLFormElement): Control[] {
  return answerControls(form).filter((control) => control.closest('[data-signature]') === null);
}

function withoutSignatures(model: FormModel, answers: Answers): Answers {
  const signed = new Set(questionsOf(model).flatMap(({ kind, name }) => (kind === 'signature' ? [name] : [])));
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !signed.has(name)));
}

/** A page that answers what was sent would be sent again by a reload or the back button; so it is opened anew instead. */
function standAsOpened(form: HTMLFormElement): void {
  if (questionsIn(form).length === 0) return;
  const language = encodeURIComponent(hiddenControl(form, '_language').value);
  history.replaceState(history.state, '', `${form.action}?language=${language}${location.hash}`);
}

/** Files of questions on this page are listed on it or gone. */
function filesElsewhere(form: HTMLFormElement, { files }: Saved): KeptFiles {
  const here = new Set(questionsIn(form).map(pathOf));
  return Object.fromEntries(Object.entries(files).filter(([path]) => !here.has(path)));
}

/** Whether anything was brought back that the page did not have. */
function bringBack(form: HTMLFormElement, saved: Saved, step: string): boolean {
  writeHidden(form, '_answers', { ...answersElsewhere(form), ...saved.answers });
  writeHidden(form, '_files', { ...filesElsewhere(form, saved), ...keptFiles(form) });
  const typed = saved.steps[step];
  if (typed === undefined || JSON.stringify(typed) === JSON.stringify(valuesOf(keptControls(form)))) return false;
  const values = new Map<string, string[]>();
  for (const [name, value] of typed) values.set(name, [...(values.get(name) ?? []), value]);
  for (const control of keptControls(form)) setValue(control, values.get(control.name) ?? []);
  form.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

function setValue(control: Control, values: readonly string[]): void {
  if (isToChoose(control)) control.checked = values.includes(control.value);
  else control.value = values[0] ?? '';
}

function showNote({ form, say }: FormPage, kept: SavedAnswers): void {
  const clear = make('button', { type: 'button', class: 'quiet' }, say('clearAnswers'));
  clear.addEventListener('click', () => {
    kept.forget();
    location.assign(addressAgain(form));
  });
  form.prepend(make('div', { class: 'notes', role: 'status' }, make('p', {}, say('restored')), clear));
}
