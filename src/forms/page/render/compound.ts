import type { Question } from '../../model/form-model.ts';
import { isRecord, normaliseAnswer } from '../../model/normalise.ts';
import { fieldName } from '../field-name.ts';
import { about, ariaRequired, controlOf, describedBy, framed, grouped, requiredMark } from './frame.ts';
import { attributes, type Html, html } from './html.ts';
import { controlId, type Place } from './place.ts';
import { textOf, writtenOut } from './typed.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

const ADDRESS_PARTS = [
  ['street', 'address-line1'],
  ['street2', 'address-line2'],
  ['city', 'address-level2'],
  ['state', 'address-level1'],
  ['zip', 'postal-code'],
  ['country', 'country-name'],
] as const;

/** The parts of an address; an address that came as one text stands in the first of them. */
export function drawAddress(place: Place): Html {
  const { answer, drawing, path, n } = place;
  const known: Record<string, unknown> = isRecord(answer) ? answer : { street: answer };
  const parts = ADDRESS_PARTS.map(([part, token], i) => {
    const id = controlId(n, i);
    const given = attributes({
      type: 'text',
      dir: 'auto',
      id,
      ...controlOf(place),
      name: fieldName([...path, part]),
      autocomplete: path.length === 1 ? token : 'off',
      value: textOf(Object.hasOwn(known, part) ? known[part] : undefined),
    });
    return html`<div class="part part-${part}"><label for="${id}">${drawing.say(part)}</label><input${given}></div>`;
  });
  return grouped(place, null, html`<div class="parts">${parts}</div>`);
}

/** A grid is a list of rows, each with the same answers to choose from: it fits any screen and reads well aloud. */
export function drawMatrix(place: Place<Of<'matrix'>>): Html {
  const { question, path, n } = place;
  const answer = normaliseAnswer(question, place.answer);
  const cells: Record<string, unknown> = isRecord(answer) ? answer : {};
  let part = 0;
  const rows = question.rows.map((row) => {
    const name = fieldName([...path, row.value]);
    const chosen = textOf(Object.hasOwn(cells, row.value) ? cells[row.value] : undefined);
    if (question.columns.length === 0) {
      const id = controlId(n, part++);
      const input = html`<input${attributes({ type: 'text', id, ...controlOf(place), name, dir: 'auto', value: chosen })}>`;
      return html`<div class="part"><label for="${id}">${row.label}</label>${input}</div>`;
    }
    const columns = question.columns.map(({ value, label }) => {
      const id = controlId(n, part++);
      const checked = chosen === value;
      const input = html`<input${attributes({ type: 'radio', id, ...controlOf(place), name, value, checked })}>`;
      return html`<div class="choice">${input}<label for="${id}">${label}</label></div>`;
    });
    return html`<fieldset class="row"><legend>${row.label}</legend><div class="choices">${columns}</div></fieldset>`;
  });
  return grouped(place, null, html`<div class="rows">${rows}</div>`);
}

/** A text to agree to. Where it is more than the label, it stands above. */
export function drawConsent(place: Place<Of<'consent'>>): Html {
  const { question, n } = place;
  const hasTerms = question.text !== question.label;
  const described = [hasTerms ? `terms-${n}` : null, describedBy(place, null)].filter((id) => id !== null).join(' ');
  const given = attributes({
    type: 'checkbox',
    id: controlId(n),
    ...controlOf(place),
    value: 'true',
    checked: normaliseAnswer(question, place.answer) === true,
    'aria-describedby': described === '' ? null : described,
    'aria-invalid': place.problems.length > 0 ? 'true' : null,
    'aria-required': ariaRequired(place),
  });
  const label = html`<label for="${controlId(n)}">${question.label}${requiredMark(place)}</label>`;
  const terms = hasTerms && html`<div class="terms" id="terms-${n}">${question.text}</div>`;
  return framed(place, html`${terms}${about(place, null)}<div class="choice"><input${given}>${label}</div>`);
}

/** What nobody sees travels as it is. */
export function drawHidden(place: Place): Html {
  const value = writtenOut(place.answer);
  const input = html`<input${attributes({ type: 'hidden', id: controlId(place.n), ...controlOf(place), value })}>`;
  return framed({ ...place, isAsked: false }, input);
}

/** What is worked out of other answers. */
export function drawCalculated(place: Place): Html {
  const id = controlId(place.n);
  const { say } = place.drawing;
  const { calculated } = place;
  const text = typeof calculated === 'boolean' ? say(calculated ? 'yes' : 'no') : textOf(calculated);
  const given = attributes({ id, 'data-yes': say('yes'), 'data-no': say('no') });
  const output = html`<output${given}>${text}</output>`;
  const label = html`<label for="${id}">${place.question.label}</label>`;
  return framed(place, html`${label}${about(place, null)}${output}`);
}
