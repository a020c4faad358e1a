import { isDate } from '../../model/answer-patterns.ts';
import { NO_LIMIT, type Question } from '../../model/form-model.ts';
import { autocompleteOf } from './autocomplete.ts';
import { labelled, onlyControl } from './frame.ts';
import { attributes, type Html, html } from './html.ts';
import type { Place } from './place.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;
type Input = Record<string, string | number | null>;

/** After the date, as the browser's own control holds it, which knows no zone. */
const LOCAL_TIME = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;
const TIME = /^\d{2}:\d{2}(?::\d{2})?$/;

/** Text of one line. */
export function drawText(place: Place): Html {
  return drawInput(place, null, { type: 'text', dir: 'auto', autocomplete: autocompleteOf(place) });
}

/** What may be anything is written, and shown as JSON where it came as more than a text can say. */
export function drawUnknown(place: Place): Html {
  return drawText({ ...place, answer: writtenOut(place.answer) });
}

/** Numbers are text for the browser too: it would silently lose what it does not take for a number. */
export function drawNumber(place: Place<Of<'number'>>): Html {
  const { whole, least } = place.question;
  const isPositive = least !== null && least >= 0;
  // The keyboards of some phones have no sign.
  const inputmode = isPositive ? (whole ? 'numeric' : 'decimal') : null;
  return drawInput(place, null, { type: 'text', inputmode, autocomplete: 'off' });
}

export function drawEmail(place: Place): Html {
  return drawInput(place, null, { type: 'email', dir: 'ltr', inputmode: 'email', autocomplete: autocompleteOf(place) });
}

export function drawPhone(place: Place): Html {
  return drawInput(place, null, { type: 'tel', dir: 'ltr', inputmode: 'tel', autocomplete: autocompleteOf(place) });
}

/** What the browser's own control would drop is shown as the text that it is. */
export function drawDate(place: Place<Of<'date'>>): Html {
  const { drawing, question } = place;
  const autocomplete = autocompleteOf(place);
  const text = textOf(place.answer);
  if (text !== '' && !isDate(text)) {
    return drawInput(place, drawing.say('dateAs', '1980-12-31'), { type: 'text', autocomplete });
  }
  const { today } = drawing.view;
  return drawInput(place, null, {
    type: 'date',
    min: question.earliest === 'today' ? today.first : question.earliest,
    max: question.latest === 'today' ? today.last : question.latest,
    autocomplete,
  });
}

export function drawTime(place: Place): Html {
  const text = textOf(place.answer);
  if (text === '' || TIME.test(text)) return drawInput(place, null, { type: 'time' });
  return drawInput(place, place.drawing.say('timeAs', '14:30'), { type: 'text' });
}

/** A date with a time of day. */
export function drawDateTime(place: Place): Html {
  const text = textOf(place.answer);
  const isHeld = isDate(text.slice(0, 10)) && LOCAL_TIME.test(text.slice(10));
  if (text === '' || isHeld) return drawInput(place, null, { type: 'datetime-local' });
  return drawInput(place, place.drawing.say('dateTimeAs', '1980-12-31T14:30'), { type: 'text' });
}

export function drawLongText(place: Place<Of<'text' | 'long_text'>>): Html {
  const { mostLength } = place.question;
  const hint = mostLength === NO_LIMIT ? null : place.drawing.say('mostLength', mostLength);
  const given = attributes({ ...onlyControl(place, hint), rows: 5, dir: 'auto' });
  // A browser takes the first line break for the writer's of the HTML.
  return labelled(place, hint, html`<textarea${given}>\n${textOf(place.answer)}</textarea>`);
}

/** A scale that is too long for buttons. */
export function drawLongScale(place: Place<Of<'rating'>>): Html {
  const { least, most } = place.question;
  const hint = place.drawing.say('range', `${least} – ${most}`);
  return drawInput(place, hint, { type: 'text', inputmode: least < 0 ? null : 'numeric', autocomplete: 'off' });
}

/** An answer as text, as far as it is one. */
export function textOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  return typeof answer === 'number' || typeof answer === 'boolean' ? String(answer) : '';
}

/** Any answer as text: lists and objects as JSON. */
export function writtenOut(answer: unknown): string {
  return typeof answer === 'object' && answer !== null ? JSON.stringify(answer) : textOf(answer);
}

function drawInput(place: Place, hint: string | null, input: Input): Html {
  const given = attributes({ ...onlyControl(place, hint), ...input, value: textOf(place.answer) });
  return labelled(place, hint, html`<input${given}>`);
}
