import { jsonText } from '../export/answer-text.ts';
import { isDate, TIME } from '../model/answer-patterns.ts';
import type { Choice, Question } from '../model/form-model.ts';
import { choiceOfAnswer, isRecord } from '../model/normalise.ts';
import { signatureAttachment } from './attachment.ts';
import { typeOfFormula } from './calculated-expression.ts';
import { codingOf } from './codings.ts';
import { ownText } from './extensions.ts';
import { fhirText, isFhirInteger } from './fhir-text.ts';
import { ADDRESS_PARTS, type LinkIds } from './link-ids.ts';
import type { ItemType, ResponseAnswer, ResponseItem } from './resources.ts';

const A_TIME = new RegExp(TIME, 'u');

/** Other names under which the parts of an address come. */
const ADDRESS_NAMES: Record<string, string> = {
  line1: 'street',
  line2: 'street2',
  postal_code: 'zip',
  postcode: 'zip',
};

/** What was answered to a question that is not for files; none where nothing was. */
export function answerItem(question: Question, answer: unknown, links: LinkIds): ResponseItem[] {
  if (answer === undefined || answer === null) return [];
  const text = fhirText(question.label);
  const item = { linkId: links.of(question), ...(text === undefined ? {} : { text }) };
  if (question.kind === 'address') return [{ ...item, ...addressOf(question, answer, links) }];
  if (question.kind === 'matrix') return [{ ...item, ...matrixOf(question, answer, links) }];
  const answers = answersTo(question, answer);
  return answers.length === 0 ? [{ ...item, ...asItCame(answer) }] : [{ ...item, answer: answers }];
}

/** An answer to a form that asks nothing, under its own name. */
export function freeAnswer(key: string, answer: unknown): ResponseItem {
  return { linkId: fhirText(key) ?? '-', answer: [{ valueString: words(answer) }] };
}

/** An answer in the type of its question; none where it has no such type. */
function answersTo(question: Question, answer: unknown): ResponseAnswer[] {
  switch (question.kind) {
    case 'number':
      return numbers(question.whole ? 'integer' : 'decimal', answer);
    case 'rating':
      return numbers('integer', answer);
    case 'yes_no':
    case 'consent':
      return typeof answer === 'boolean' ? [{ valueBoolean: answer }] : [];
    case 'date':
      return isDate(answer) ? [{ valueDate: answer }] : [];
    case 'time':
      return typeof answer === 'string' && A_TIME.test(answer) ? [{ valueTime: withSeconds(answer) }] : [];
    case 'select':
    case 'radio':
      return [chosen(question.choices, answer)];
    case 'checkboxes':
      return (Array.isArray(answer) ? answer : [answer]).map((each) => chosen(question.choices, each));
    case 'signature':
      return [{ valueAttachment: signatureAttachment(answer) }];
    case 'calculated':
      return calculated(typeOfFormula(question.formula), answer);
    case 'text':
    case 'long_text':
    case 'email':
    case 'phone':
    case 'hidden':
    case 'unknown':
    case 'file':
    case 'address':
    case 'matrix':
      return [{ valueString: words(answer) }];
    default:
      return question satisfies never;
  }
}

function withSeconds(time: string): string {
  return time.length === 'hh:mm'.length ? `${time}:00` : time;
}

function numbers(type: 'integer' | 'decimal', answer: unknown): ResponseAnswer[] {
  if (typeof answer !== 'number') return [];
  if (type === 'decimal') return [{ valueDecimal: answer }];
  return isFhirInteger(answer) ? [{ valueInteger: answer }] : [];
}

function calculated(type: ItemType, answer: unknown): ResponseAnswer[] {
  if (type === 'boolean') return typeof answer === 'boolean' ? [{ valueBoolean: answer }] : [];
  return type === 'decimal' ? numbers('decimal', answer) : [{ valueString: words(answer) }];
}

/** One of the listed choices, or words of one's own. */
function chosen(choices: readonly Choice[], answer: unknown): ResponseAnswer {
  const choice = choiceOfAnswer(choices, answer);
  return choice === undefined ? { valueString: words(answer) } : { valueCoding: codingOf(choice) };
}

function matrixOf(matrix: Extract<Question, { kind: 'matrix' }>, answer: unknown, links: LinkIds) {
  const cells = isRecord(answer) ? answer : {};
  const known = matrix.rows.filter(({ value }) => Object.hasOwn(cells, value));
  const isAll = isRecord(answer) && known.length === Object.keys(cells).length;
  const item = known.map((row): ResponseItem => {
    const text = fhirText(row.label);
    return {
      linkId: links.row(matrix, row),
      ...(text === undefined ? {} : { text }),
      answer: [chosen(matrix.columns, cells[row.value])],
    };
  });
  return { ...(isAll ? {} : asItCame(answer)), ...(item.length === 0 ? {} : { item }) };
}

function addressOf(question: Question, answer: unknown, links: LinkIds) {
  const parts = isRecord(answer) ? Object.entries(answer) : [['street', answer] as const];
  const said = new Map(parts.map(([name, value]) => [ADDRESS_NAMES[name] ?? name, value]));
  const known = ADDRESS_PARTS.filter(([part]) => said.has(part));
  const isAll = known.length === parts.length;
  const item = known.map(
    ([part, text]): ResponseItem => ({
      linkId: links.part(question, part),
      text,
      answer: [{ valueString: words(said.get(part)) }],
    }),
  );
  return { ...(isAll ? {} : asItCame(answer)), ...(item.length === 0 ? {} : { item }) };
}

/** What the type of a question has no place for stands beside it, so that nothing is lost. */
function asItCame(answer: unknown): Pick<ResponseItem, 'extension'> {
  return { extension: ownText('answer', jsonText(answer)) };
}

function words(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : jsonText(answer);
  return fhirText(text) ?? '-';
}
