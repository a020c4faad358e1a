import type { Answers } from '../../model/form-model.ts';
import { collectAnswers } from './collect.ts';
import { type Control, controlsIn, pathOf, questionsIn, readHidden } from './elements.ts';
import type { FormPage } from './page-data.ts';

/** All answers as they will be sent: those of this step as they are typed now, and those of all others. */
export function currentAnswers({ form, data }: FormPage): Answers {
  const seen = new Set(readHidden<string[]>(form, '_seen', []));
  return collectAnswers(data.model, new FormData(form), answersElsewhere(form), seen);
}

/** The same with what stands in questions that are not shown, as that counts again once they are. */
export function typedAnswers({ form, data }: FormPage): Answers {
  const paths = new Set(questionsIn(form).map(pathOf));
  return collectAnswers(data.model, valuesOf(answerControls(form)), answersElsewhere(form), paths);
}

/** The answers that travel with the form as no control of this step shows them. */
export function answersElsewhere(form: HTMLFormElement): Answers {
  return readHidden<Answers>(form, '_answers', {});
}

/** The controls in which answers are typed or chosen, sent or not. */
export function answerControls(form: HTMLFormElement): Control[] {
  return controlsIn(form).filter(({ name, type }) => name.startsWith('q.') && type !== 'file');
}

/** Name and value of each control that says something. */
export function valuesOf(controls: readonly Control[]): [string, string][] {
  return controls.filter((control) => !isToChoose(control) || control.checked).map(({ name, value }) => [name, value]);
}

/** Whether a control has its value from the start, and is chosen or not. */
export function isToChoose(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(control.type);
}
