import type { Question, RepeatingGroup } from '../../model/form-model.ts';
import { fieldName, plainPath } from '../field-name.ts';
import { attributes, type Content, type Html, html } from './html.ts';
import { controlId, type Place } from './place.ts';

type Any = Place<Question | RepeatingGroup>;

/** A question with one control, which its label names. */
export function labelled(place: Any, hint: string | null, control: Html): Html {
  const label = html`<label for="${controlId(place.n)}">${place.question.label}${requiredMark(place)}</label>`;
  return framed(place, html`${label}${about(place, hint)}${control}`);
}

/** A question with several controls, which stand together under its label. */
export function grouped(place: Any, hint: string | null, controls: Content): Html {
  const described = attributes({ 'aria-describedby': describedBy(place, hint) });
  const legend = html`<legend>${place.question.label}${requiredMark(place)}</legend>`;
  return framed(place, html`<fieldset${described}>${legend}${about(place, hint)}${controls}</fieldset>`);
}

/** The element of a question: what is not asked is there, but neither shown nor sent. */
export function framed({ n, path, question, isAsked, problems }: Any, content: Content): Html {
  const given = attributes({
    class: problems.length > 0 ? 'question wrong' : 'question',
    'data-path': plainPath(path),
    'data-kind': question.kind,
    id: `question-${n}`,
    hidden: !isAsked,
  });
  return html`<div${given}>${content}</div>\n`;
}

/** What every control of a question has. */
export function controlOf({ path, isAsked }: Any): Record<string, string | boolean> {
  return { name: fieldName(path), disabled: !isAsked };
}

/** The attributes of a control that is alone in its question. */
export function onlyControl(place: Any, hint: string | null): Record<string, string | boolean | null> {
  return {
    id: controlId(place.n),
    ...controlOf(place),
    'aria-describedby': describedBy(place, hint),
    'aria-required': ariaRequired(place),
    'aria-invalid': place.problems.length > 0 ? 'true' : null,
  };
}

/** The help, the hint and the problem of a question. */
export function about({ n, question, problems }: Any, hint: string | null): Html {
  const help = question.help === null ? null : html`<p class="help" id="help-${n}">${question.help}</p>`;
  const known = hint === null ? null : html`<p class="help" id="hint-${n}">${hint}</p>`;
  const wrong = problems.length === 0 ? null : html`<p class="problem" id="problem-${n}">${problems.join(' ')}</p>`;
  return html`${help}${known}${wrong}`;
}

/** The ids of what `about` writes. */
export function describedBy({ n, question, problems }: Any, hint: string | null): string | null {
  const ids = [
    question.help === null ? [] : [`help-${n}`],
    hint === null ? [] : [`hint-${n}`],
    problems.length === 0 ? [] : [`problem-${n}`],
  ].flat();
  return ids.length === 0 ? null : ids.join(' ');
}

/** Stands there also where an answer may come to be needed, so that the script can change it. */
export function ariaRequired({ question, isRequired }: Any): string | null {
  return isRequired || question.requireWhen !== null ? String(isRequired) : null;
}

/** Says in words that an answer is needed; the script shows it where that comes to depend on other answers. */
export function requiredMark({ drawing, question, isRequired }: Any): Html | null {
  if (!isRequired && question.requireWhen === null) return null;
  return html` <span class="required"${attributes({ hidden: !isRequired })}>(${drawing.say('required')})</span>`;
}
