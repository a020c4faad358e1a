import { type Choice, NO_LIMIT, type Question, type RepeatingGroup } from '../model/form-model.ts';
import { calculatedExpression, typeOfFormula } from './calculated-expression.ts';
import { answerOptions, codingOf } from './codings.ts';
import type { FindAsked } from './enable-when.ts';
import { AUTHOR_SIGNATURE, itemControl, ownText, ownUrl, STANDARD } from './extensions.ts';
import { fhirCode, fhirText, isFhirInteger } from './fhir-text.ts';
import { ADDRESS_PARTS, type LinkIds } from './link-ids.ts';
import type { Extension, QuestionnaireItem } from './resources.ts';

/** What an item has besides what all items have. */
type Own = Omit<QuestionnaireItem, 'linkId' | 'text'>;

const MEGABYTE = 2 ** 20;

/** What FHIR says of a question by its kind. */
export function itemOfKind(question: Question, links: LinkIds, find: FindAsked): Own {
  switch (question.kind) {
    case 'text':
    case 'long_text':
      return { type: question.kind === 'text' ? 'string' : 'text', ...lengthsOf(question) };
    case 'number':
      return {
        type: question.whole ? 'integer' : 'decimal',
        extension: [...bound('minValue', question.least), ...bound('maxValue', question.most), ...stepOf(question)],
      };
    case 'rating':
      return {
        type: 'integer',
        extension: [...bound('minValue', question.least), ...bound('maxValue', question.most), itemControl('slider')],
      };
    case 'email':
    case 'phone':
    case 'unknown':
      return { type: 'string' };
    case 'time':
      return { type: 'time' };
    case 'date':
      return {
        type: 'date',
        extension: [...dateBound('minValue', question.earliest), ...dateBound('maxValue', question.latest)],
      };
    case 'select':
    case 'radio':
      return {
        type: question.other ? 'open-choice' : 'choice',
        extension: [itemControl(question.kind === 'select' ? 'drop-down' : 'radio-button')],
        ...answerOptions(question.choices),
      };
    case 'checkboxes':
      return {
        type: question.other ? 'open-choice' : 'choice',
        repeats: true,
        extension: [itemControl('check-box'), ...occurrences(question), ...onceEach(question)],
        ...answerOptions(question.choices),
      };
    case 'yes_no':
      return { type: 'boolean', ...onlyOf(question) };
    case 'consent': {
      const text = fhirText(question.text);
      const item = { linkId: links.part(question, 'consent'), type: 'display' as const };
      return { type: 'boolean', ...(text === undefined ? {} : { item: [{ ...item, text }] }) };
    }
    case 'address':
      return {
        type: 'group',
        item: ADDRESS_PARTS.map(([part, text]) => ({ linkId: links.part(question, part), text, type: 'string' })),
      };
    case 'matrix':
      return matrixOf(question, links);
    case 'file':
      return { type: 'attachment', ...(question.most > 1 ? { repeats: true } : {}), extension: fileRules(question) };
    case 'signature': {
      const valueCodeableConcept = { coding: [AUTHOR_SIGNATURE] };
      return { type: 'attachment', extension: [{ url: STANDARD.signatureRequired, valueCodeableConcept }] };
    }
    case 'hidden':
      return { type: 'string', extension: [{ url: STANDARD.hidden, valueBoolean: true }] };
    case 'calculated':
      return {
        type: typeOfFormula(question.formula),
        readOnly: true,
        extension: calculatedExpression(question.formula, find),
      };
    default:
      return question satisfies never;
  }
}

/** How many times a group or the choice of several is answered. */
export function occurrences({ least, most }: Pick<RepeatingGroup, 'least' | 'most'>): Extension[] {
  return [
    ...(least > 0 && isFhirInteger(least) ? [{ url: STANDARD.minOccurs, valueInteger: least }] : []),
    ...(isFhirInteger(most) ? [{ url: STANDARD.maxOccurs, valueInteger: most }] : []),
  ];
}

/** That no text counts twice; no choice does anyway. */
function onceEach({ choices, unique }: Extract<Question, { kind: 'checkboxes' }>): Extension[] {
  return unique && choices.length === 0 ? [{ url: ownUrl('unique'), valueBoolean: true }] : [];
}

function lengthsOf(question: Extract<Question, { kind: 'text' | 'long_text' }>): Pick<Own, 'maxLength' | 'extension'> {
  const { leastLength, mostLength, pattern, format } = question;
  const regex = fhirText(pattern);
  return {
    ...(mostLength !== NO_LIMIT && isFhirInteger(mostLength) ? { maxLength: mostLength } : {}),
    extension: [
      ...(leastLength > 0 && isFhirInteger(leastLength)
        ? [{ url: STANDARD.minLength, valueInteger: leastLength }]
        : []),
      ...(regex === undefined ? [] : [{ url: STANDARD.regex, valueString: regex }]),
      ...ownText('format', format),
    ],
  };
}

function bound(name: 'minValue' | 'maxValue', value: number | null): Extension[] {
  if (value === null) return [];
  const url = STANDARD[name];
  return [isFhirInteger(value) ? { url, valueInteger: value } : { url, valueDecimal: value }];
}

function stepOf({ multipleOf }: Extract<Question, { kind: 'number' }>): Extension[] {
  return multipleOf === null ? [] : [{ url: ownUrl('multiple-of'), valueDecimal: multipleOf }];
}

function onlyOf({ only }: Extract<Question, { kind: 'yes_no' }>): Pick<Own, 'extension'> {
  return only === null ? {} : { extension: [{ url: ownUrl('only'), valueBoolean: only }] };
}

/** Today is no date but an expression, as the guide for data capture (SDC) writes it. */
function dateBound(name: 'minValue' | 'maxValue', value: string | null): Extension[] {
  if (value === null) return [];
  const url = STANDARD[name];
  if (value !== 'today') return [{ url, valueDate: value }];
  const valueExpression = { language: 'text/fhirpath', expression: 'today()' };
  return [{ url, _valueDate: { extension: [{ url: STANDARD.cqfExpression, valueExpression }] } }];
}

/** A group with a question for each row. FHIR has no empty groups, so that one without rows is only shown. */
function matrixOf(matrix: Extract<Question, { kind: 'matrix' }>, links: LinkIds): Own {
  if (matrix.rows.length === 0) return { type: 'display', extension: matrix.columns.map(columnOf) };
  return {
    type: 'group',
    extension: [itemControl('table')],
    item: matrix.rows.map((row) => {
      const text = fhirText(row.label);
      return {
        linkId: links.row(matrix, row),
        extension: [
          ...ownText('value', row.value),
          ...(row.score === null ? [] : [{ url: ownUrl('score'), valueDecimal: row.score }]),
        ],
        ...(text === undefined ? {} : { text }),
        type: matrix.columns.length === 0 ? ('open-choice' as const) : ('choice' as const),
        ...answerOptions(matrix.columns),
      };
    }),
  };
}

function columnOf(column: Choice): Extension {
  const { extension = [], ...coding } = codingOf(column);
  const score = column.score === null ? [] : [{ url: STANDARD.ordinalValue, valueDecimal: column.score }];
  const beside = [...extension, ...score];
  return { url: ownUrl('column'), valueCoding: { ...(beside.length === 0 ? {} : { extension: beside }), ...coding } };
}

function fileRules({ most, mostBytes, accept }: Extract<Question, { kind: 'file' }>): Extension[] {
  return [
    ...(isFhirInteger(most) ? [{ url: STANDARD.maxOccurs, valueInteger: most }] : []),
    ...(mostBytes === null ? [] : [{ url: STANDARD.maxSize, valueDecimal: mostBytes / MEGABYTE }]),
    ...accept
      .filter((kind) => /^[^/*]+\/[^/*]+$/.test(kind))
      .map((kind) => ({ url: STANDARD.mimeType, valueCode: fhirCode(kind) })),
    ...accept.flatMap((kind) => ownText('accept', kind)),
  ];
}
