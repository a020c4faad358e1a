import type { Choice, Question } from '../../model/form-model.ts';
import { isBlank, normaliseAnswer } from '../../model/normalise.ts';
import { fieldName, OTHER_CHOICE, OWN_WORDS } from '../field-name.ts';
import { controlOf, grouped, labelled, onlyControl } from './frame.ts';
import { attributes, type Html, html } from './html.ts';
import { controlId, type Place } from './place.ts';
import { drawLongScale, drawText, textOf } from './typed.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** A scale up to this length has a button for each of its numbers. */
const LONGEST_ROW = 11;

export function drawSelect(place: Place<Of<'select' | 'radio'>>): Html {
  const { question, drawing } = place;
  const { listed, own } = chosenOf(place);
  if (question.choices.length === 0) return drawText({ ...place, answer: own });
  const options = question.choices.map(({ value, label }) => {
    return html`<option${attributes({ value, selected: listed.has(value) })}>${label}</option>`;
  });
  const other = html`<option${attributes({ value: OTHER_CHOICE, selected: own !== '' })}>${drawing.say('other')}</option>`;
  const first = html`<option value="">${drawing.say('choose')}</option>`;
  const select = html`<select${attributes(onlyControl(place, null))}>${first}${options}${question.other && other}</select>`;
  return labelled(place, null, html`${select}${question.other && drawOwnWords(place, own)}`);
}

/** Listed answers of which one, or several, may be chosen. */
export function drawListed(place: Place<Of<'select' | 'radio' | 'checkboxes'>>): Html {
  const { question, drawing } = place;
  const { listed, own } = chosenOf(place);
  if (question.choices.length === 0) return drawText({ ...place, answer: own });
  const type = question.kind === 'radio' ? 'radio' : 'checkbox';
  const choices = question.choices.map((choice, i) => drawChoice(place, type, choice, i, listed.has(choice.value)));
  if (!question.other) return grouped(place, null, html`<div class="choices">${choices}</div>`);
  const other = { value: OTHER_CHOICE, label: drawing.say('other') };
  const last = drawChoice(place, type, other, choices.length, own !== '');
  return grouped(place, null, html`<div class="choices">${choices}${last}${drawOwnWords(place, own)}</div>`);
}

/** Where one of both is all that is taken, it can be taken back as well. */
export function drawYesNo(place: Place<Of<'yes_no'>>): Html {
  const answer = normaliseAnswer(place.question, place.answer);
  const { only } = place.question;
  const { say } = place.drawing;
  if (only !== null) {
    const choice = only ? { value: 'yes', label: say('yes') } : { value: 'no', label: say('no') };
    return grouped(
      place,
      null,
      html`<div class="choices">${drawChoice(place, 'checkbox', choice, 0, answer === only)}</div>`,
    );
  }
  const yes = drawChoice(place, 'radio', { value: 'yes', label: say('yes') }, 0, answer === true);
  const no = drawChoice(place, 'radio', { value: 'no', label: say('no') }, 1, answer === false);
  return grouped(place, null, html`<div class="choices side-by-side">${yes}${no}</div>`);
}

export function drawRating(place: Place<Of<'rating'>>): Html {
  const { least, most } = place.question;
  if (most - least >= LONGEST_ROW) return drawLongScale(place);
  const answer = normaliseAnswer(place.question, place.answer);
  const numbers = Array.from({ length: most - least + 1 }, (_, i) => {
    const value = String(least + i);
    return drawChoice(place, 'radio', { value, label: value }, i, answer === least + i);
  });
  return grouped(place, null, html`<div class="choices scale">${numbers}</div>`);
}

/** One choice of several under the same name. */
function drawChoice(
  place: Place,
  type: 'radio' | 'checkbox',
  { value, label }: Pick<Choice, 'value' | 'label'>,
  part: number,
  checked: boolean,
): Html {
  const id = controlId(place.n, part);
  const input = html`<input${attributes({ type, id, ...controlOf(place), value, checked })}>`;
  return html`<div class="choice">${input}<label for="${id}">${label}</label></div>`;
}

function drawOwnWords(place: Place, value: string): Html {
  const id = controlId(place.n, 'own');
  const name = fieldName([...place.path, OWN_WORDS]);
  const input = html`<input${attributes({ type: 'text', id, ...controlOf(place), name, dir: 'auto', placeholder: ' ', value })}>`;
  return html`<div class="own-words"><label for="${id}">${place.drawing.say('ownWords')}</label>${input}</div>`;
}

/** What is chosen among the listed answers, and what was written instead of them. */
function chosenOf({ question, answer }: Place<Of<'select' | 'radio' | 'checkboxes'>>): {
  listed: ReadonlySet<string>;
  own: string;
} {
  const normal = normaliseAnswer(question, answer);
  const chosen = (Array.isArray(normal) ? normal : [normal]).map(textOf);
  const known = new Set(question.choices.map(({ value }) => value));
  const own = question.other ? chosen.find((value) => !known.has(value) && !isBlank(value)) : undefined;
  return { listed: new Set(chosen.filter((value) => known.has(value))), own: own ?? '' };
}
