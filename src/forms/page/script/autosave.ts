import type { Answers, FormModel } from '../../model/form-model.ts';
import { questionsOf } from '../../model/questions.ts';
import { answerControls, isToChoose, typedAnswers, valuesOf } from './current-answers.ts';
import { type Control, hiddenControl, make, questionsIn, tellChange, writeHidden } from './elements.ts';
import { addressAgain, fillingOf } from './filling.ts';
import type { FormPage } from './page-data.ts';
import { redraw, showsAll } from './redraw.ts';
import type { Saved, SavedAnswers } from './saved-answers.ts';
import { filesAsLeft } from './upload/kept-files.ts';

/** Keeps what is typed for as long as the window is open, and brings it back after a reload. */
export function autosave(page: FormPage): void {
  const { form, data } = page;
  // What only the customer may read is not left lying about either.
  if (data.sealedTo.length > 0) return;
  const { kept, opened, address, handOver } = fillingOf(page);
  const step = hiddenControl(form, '_step').value;
  const save = (): void => {
    const steps = { ...kept.read()?.steps, [step]: valuesOf(keptControls(form)) };
    kept.write({
      steps,
      answers: withoutSignatures(data.model, typedAnswers(page)),
      files: filesAsLeft(form),
    });
  };
  const comeBack = (showAnew: (saved: Saved) => void): void => {
    const saved = kept.read();
    if (saved === null) return;
    if (!showsAll(form, saved)) showAnew(saved);
    else if (bringBack(form, saved, step)) showNote(page, kept);
  };
  // The page that answers what was sent knows better, as entries may have moved and steps been skipped.
  if (opened === 'sent' || opened === 'redrawn') {
    save();
    standAsOpened(form, address);
    if (opened === 'redrawn') showNote(page, kept);
  } else if (opened !== 'anew') {
    comeBack((saved) => {
      // A page that did not know would be drawn for ever.
      const isKnown = handOver({ once: hiddenControl(form, '_once').value, redrawnAt: location.href });
      if (isKnown) redraw(form, saved);
    });
  }
  // Other steps may have been answered since the page was left that the browser brings back just as it was.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) comeBack(() => location.reload());
  });
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
function standAsOpened(form: HTMLFormElement, address: string | null): void {
  if (questionsIn(form).length === 0) return;
  const language = encodeURIComponent(hiddenControl(form, '_language').value);
  history.replaceState(history.state, '', address ?? `${form.action}?language=${language}${location.hash}`);
}

/** Whether anything was brought back that the page did not have. */
function bringBack(form: HTMLFormElement, saved: Saved, step: string): boolean {
  writeHidden(form, '_answers', saved.answers);
  writeHidden(form, '_files', saved.files);
  const typed = saved.steps[step];
  if (typed === undefined || JSON.stringify(typed) === JSON.stringify(valuesOf(keptControls(form)))) return false;
  const values = new Map<string, string[]>();
  for (const [name, value] of typed) values.set(name, [...(values.get(name) ?? []), value]);
  for (const control of keptControls(form)) setValue(control, values.get(control.name) ?? []);
  tellChange(form);
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
  form.querySelector(':scope > .notes')?.remove();
  form.prepend(make('div', { class: 'notes', role: 'status' }, make('p', {}, say('restored')), clear));
}
