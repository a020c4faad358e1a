import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { EnableWhen, QuestionnaireItem, ResponseAnswer, ResponseItem } from '../../src/forms/fhir/resources.ts';
import { toQuestionnaireResponse } from '../../src/forms/fhir/response.ts';
import { planOfForm } from '../../src/forms/model/check/plan.ts';
import { Sheet } from '../../src/forms/model/check/sheet.ts';
import { namesIn } from '../../src/forms/model/expression/syntax.ts';
import { anyFormWithAnswers } from '../../src/forms/model/form.examples.ts';
import { todayAt } from '../../src/forms/model/today.ts';
import { checkAnswers } from '../../src/forms/model/validate.ts';
import { everyItem, PUBLIC_URL, questionnaireOf, versionOf } from './examples.ts';

const TODAY = todayAt(new Date('2026-01-02T09:00:00Z'));

/** The conditions of one question, by its name. */
function whensOf(fields: object[], name: string): QuestionnaireItem {
  const found = everyItem(questionnaireOf({ fields })).find(({ linkId }) => linkId === name);
  assert.ok(found);
  return found;
}

const FIELDS = [
  { name: 'choice', type: 'radio', options: [{ value: 'a', label: 'A' }, 'b'] },
  { name: 'several', type: 'checkboxes', options: ['x', 'y'] },
  { name: 'count', type: 'integer' },
  { name: 'weight', type: 'number' },
  { name: 'day', type: 'date' },
  { name: 'yes', type: 'yes/no' },
  { name: 'note', type: 'text' },
  { name: 'at', type: 'time' },
];

const a = { code: 'a', display: 'A' };

test('conditions are said in the words of FHIR', () => {
  const said: [string, object[], string?][] = [
    ['choice == "a"', [{ question: 'choice', operator: '=', answerCoding: a }]],
    ['choice != "a"', [{ question: 'choice', operator: '!=', answerCoding: a }]],
    ['several contains "x"', [{ question: 'several', operator: '=', answerCoding: { code: 'x', display: 'x' } }]],
    ['count > 3', [{ question: 'count', operator: '>', answerInteger: 3 }]],
    ['3 <= weight', [{ question: 'weight', operator: '>=', answerDecimal: 3 }]],
    ['day < "2020-01-31"', [{ question: 'day', operator: '<', answerDate: '2020-01-31' }]],
    ['yes', [{ question: 'yes', operator: '=', answerBoolean: true }]],
    ['yes == "no"', [{ question: 'yes', operator: '=', answerBoolean: false }]],
    ['note == "x"', [{ question: 'note', operator: '=', answerString: 'x' }]],
    ['empty(note)', [{ question: 'note', operator: 'exists', answerBoolean: false }]],
    ['not (note == null)', [{ question: 'note', operator: 'exists', answerBoolean: true }]],
    ['not empty(at)', [{ question: 'at', operator: 'exists', answerBoolean: true }]],
    [
      'choice in ["a", null]',
      [
        { question: 'choice', operator: '=', answerCoding: a },
        { question: 'choice', operator: 'exists', answerBoolean: false },
      ],
      'any',
    ],
    [
      'yes and note and count == 1',
      [
        { question: 'yes', operator: '=', answerBoolean: true },
        { question: 'note', operator: 'exists', answerBoolean: true },
        { question: 'count', operator: '=', answerInteger: 1 },
      ],
      'all',
    ],
    [
      'not (count == 1)',
      [
        { question: 'count', operator: 'exists', answerBoolean: false },
        { question: 'count', operator: '!=', answerInteger: 1 },
      ],
      'any',
    ],
  ];
  for (const [condition, enableWhen, enableBehavior] of said) {
    const item = whensOf([...FIELDS, { name: 'q', type: 'text', show_when: condition }], 'q');
    assert.deepEqual(item.enableWhen, enableWhen, condition);
    assert.equal(item.enableBehavior, enableBehavior, condition);
  }
});

test('what FHIR cannot say exactly is left to our own extension', () => {
  for (const condition of [
    'count + 1 > 2',
    'yes and (note or count == 1)',
    'several == "x"',
    'note > "a"',
    'at > "12:00"',
    'count(several) > 1',
    'score(choice) > 1',
    'choice == "zzz"',
    'gone == 1',
  ]) {
    const item = whensOf([...FIELDS, { name: 'q', type: 'text', show_when: condition }], 'q');
    assert.equal(item.enableWhen, undefined, condition);
    assert.ok(item.extension?.some(({ url }) => url === 'urn:carepost:fhir:show-when'));
  }
});

test('conditions in FHIR hold where ours hold', () => {
  let checked = 0;
  fc.assert(
    fc.property(anyFormWithAnswers, ({ form, answers }) => {
      const version = versionOf(form);
      const { model } = version;
      const verdict = checkAnswers(model, answers, [], TODAY);
      const ids = { id: 'x', formId: 'y', formVersion: 3, submitterEmail: null, createdAt: new Date(TODAY.utc) };
      const submission = { ...ids, ...verdict, files: [], signature: null, amendments: [], signers: [] };
      const said = answersIn(toQuestionnaireResponse(submission, version, PUBLIC_URL).item ?? []);
      const items = new Map(everyItem(questionnaireOf(form)).map((item) => [item.linkId, item]));
      const none = { answer: () => undefined, score: () => undefined, today: TODAY };
      const sheet = new Sheet(planOfForm(model), answers, none);
      for (const { id, showWhen } of model.pages.flatMap((page) => page.items)) {
        const item = items.get(id);
        if (showWhen === null || item?.enableWhen === undefined) continue;
        if (
          namesIn(showWhen)
            .values()
            .some((name) => name in verdict.problems)
        )
          continue; // could not be sent
        assert.equal(isEnabled(item, said), sheet.holds(showWhen), JSON.stringify(item.enableWhen));
        checked += 1;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(checked > 50, `${checked} conditions`);
});

/** All answers by linkId; entries of groups are left out, as only their own items see them. */
function answersIn(items: readonly ResponseItem[]): Map<string, ResponseAnswer[]> {
  const found = new Map<string, ResponseAnswer[]>();
  const left = [...items];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    if (item.answer !== undefined) found.set(item.linkId, item.answer);
    left.push(...(item.item ?? []));
  }
  return found;
}

/** R4: https://hl7.org/fhir/R4/questionnaire-definitions.html#Questionnaire.item.enableWhen */
function isEnabled(
  { enableWhen = [], enableBehavior }: QuestionnaireItem,
  said: Map<string, ResponseAnswer[]>,
): boolean {
  const met = enableWhen.map((when) => isMet(when, said.get(when.question) ?? []));
  return enableBehavior === 'any' ? met.includes(true) : !met.includes(false);
}

function isMet(when: EnableWhen, answers: ResponseAnswer[]): boolean {
  if (when.operator === 'exists') return answers.length > 0 === when.answerBoolean;
  const wanted = comparable(Object.entries(when).find(([key]) => key.startsWith('answer'))?.[1]);
  return answers.some((answer) => {
    const value = comparable(Object.values(answer)[0]);
    if (when.operator === '=') return value === wanted;
    if (when.operator === '!=') return value !== wanted;
    if (when.operator === '<') return value < wanted;
    if (when.operator === '>') return value > wanted;
    return when.operator === '<=' ? value <= wanted : value >= wanted;
  });
}

function comparable(value: unknown): string | number | boolean {
  const { code } = Object(value) as { code?: string };
  return code === undefined ? (value as string) : `code ${code}`;
}
