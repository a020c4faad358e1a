import { answerLines, matrixText, rowsIn } from '../../export/answer-text.ts';
import type { Choice } from '../../model/form-model.ts';
import { isBlank, normaliseAnswer } from '../../model/normalise.ts';
import type { ShownSignature } from '../view.ts';
import { sizeInWords } from './file.ts';
import { type Content, type Html, html } from './html.ts';
import type { Drawing, Place } from './place.ts';
import { pictureOf, signatureIn } from './signature.ts';
import { textOf } from './typed.ts';

type Option = Pick<Choice, 'value' | 'label'>;

/** An answer as text: choices with marks, files by name, signatures as they were given. */
export function drawAnswer(place: Place): Html {
  const { question, drawing, files } = place;
  const { say } = drawing;
  const answer = normaliseAnswer(question, place.answer);
  switch (question.kind) {
    case 'radio':
    case 'checkboxes':
      return drawMarks(drawing, question.choices, Array.isArray(answer) ? answer.map(textOf) : [textOf(answer)]);
    case 'yes_no':
      return drawMarks(drawing, yesAndNo(drawing), typeof answer === 'boolean' ? [String(answer)] : []);
    case 'consent':
      return html`<p class="terms">${question.text}</p>${drawMarks(drawing, agreement(drawing), answer === true ? ['true'] : ['false'])}`;
    case 'matrix': {
      const rows = rowsIn(question, answer);
      if (rows.length === 0) return drawLines(drawing, []);
      return drawRows(
        rows.map((row) => html`${row.label}: ${matrixText(question, row, answer) || say('notAnswered')}`),
      );
    }
    case 'file':
      if (files.length === 0) return drawLines(drawing, answerLines(question, answer));
      return drawRows(files.map(({ name, size }) => html`${name} (${sizeInWords(drawing, size)})`));
    case 'signature':
      return drawGivenSignature(drawing, isBlank(answer) ? null : signatureIn(answer));
    case 'calculated': {
      const known = place.answer ?? place.calculated;
      return drawLines(
        drawing,
        typeof known === 'boolean' ? [say(known ? 'yes' : 'no')] : answerLines(question, known),
      );
    }
    case 'text':
    case 'long_text':
    case 'number':
    case 'email':
    case 'phone':
    case 'time':
    case 'date':
    case 'address':
    case 'select':
    case 'rating':
    case 'hidden':
    case 'unknown':
      return drawLines(drawing, answerLines(question, answer));
    default:
      return question satisfies never;
  }
}

/** A signature with its name and its picture. */
export function drawGivenSignature(drawing: Drawing, given: ShownSignature | null): Html {
  if (given === null) return drawLines(drawing, []);
  const picture = given.method === 'typed' ? null : pictureOf(drawing, given.image);
  return html`<p class="answer${picture === null && ' signature-preview'}">${given.name || drawing.say('signGiven')}</p>${picture}`;
}

/** Every choice with its mark; what was written beside them follows. */
function drawMarks(drawing: Drawing, choices: readonly Option[], answers: readonly string[]): Html {
  const known = new Set(choices.map(({ value }) => value));
  const chosen = new Set(answers);
  const own = answers.filter((value) => value !== '' && !known.has(value)).map((value) => ({ value, label: value }));
  return drawRows(
    [...choices, ...own].map(({ value, label }) => {
      const isChosen = chosen.has(value);
      const words = drawing.say(isChosen ? 'chosen' : 'notChosen');
      const mark = html`<span aria-hidden="true">${isChosen ? '☑' : '☐'}</span><span class="aside">(${words})</span>`;
      return html`<span class="${isChosen ? 'chosen' : 'open'}">${mark} ${label}</span>`;
    }),
  );
}

function yesAndNo({ say }: Drawing): Option[] {
  return [
    { value: 'true', label: say('yes') },
    { value: 'false', label: say('no') },
  ];
}

function agreement({ say }: Drawing): Option[] {
  return [
    { value: 'true', label: say('agreed') },
    { value: 'false', label: say('notAgreed') },
  ];
}

function drawLines({ say }: Drawing, lines: readonly string[]): Html {
  if (lines.length === 0) return html`<p class="answer none">${say('notAnswered')}</p>`;
  return html`<p class="answer">${lines.join('\n')}</p>`;
}

function drawRows(rows: readonly Content[]): Html {
  return html`<ul class="answers">${rows.map((row) => html`<li>${row}</li>`)}</ul>`;
}
