import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromQuestionnaire } from '../../src/forms/fhir/read-questionnaire.ts';
import { compileForm } from '../../src/forms/model/compile.ts';
import { questionsOf } from '../../src/forms/model/questions.ts';
import { todayAt } from '../../src/forms/model/today.ts';
import { checkAnswers } from '../../src/forms/model/validate.ts';
import { questionnaireOf } from './examples.ts';
import { INTAKE, PHQ_9 } from './foreign.examples.ts';
import { faultsOf } from './r4-schema.ts';

function imported(questionnaire: object) {
  const read = fromQuestionnaire(questionnaire);
  const model = compileForm(read.form_json);
  const check = (answers: Record<string, unknown>) => checkAnswers(model, answers, [], todayAt(new Date('2026-01-02')));
  return { ...read, model, check, kinds: Object.fromEntries(questionsOf(model).map(({ name, kind }) => [name, kind])) };
}

test('the PHQ-9 of others works as a form', () => {
  const { title, model, check, notes, kinds } = imported(PHQ_9);
  assert.equal(title, PHQ_9.title);
  const [first] = questionsOf(model);
  assert.ok(first?.kind === 'radio');
  assert.equal(first.label, '1. Little interest or pleasure in doing things?');
  assert.deepEqual(first.choices[3], { value: 'LA6571-9', label: 'Nearly every day', score: 3 });
  assert.equal(kinds['/44261-6'], 'hidden');
  assert.deepEqual(
    notes.map(({ path }) => path),
    ['/44261-6'],
  );

  assert.equal(Object.keys(check({}).problems).length, 9);
  const wells = Object.fromEntries(PHQ_9.item.slice(0, 9).map(({ linkId }) => [linkId, 'LA6568-5']));
  assert.deepEqual(check(wells).problems, {});
  assert.deepEqual(check({ ...wells, '/69722-7': 'Very difficult' }).unasked, ['/69722-7']);
  const down = { ...wells, '/44255-8': 'LA6571-9', '/69722-7': 'Very difficult' };
  assert.deepEqual(check(down), { answers: down, problems: {}, unasked: [] });
});

test('an intake form with nested groups and conditions works as a form', () => {
  const { check, kinds, notes, model } = imported(INTAKE);
  assert.deepEqual(kinds, {
    '1.1': 'text',
    '1.2': 'date',
    '1.3': 'select',
    '1.4': 'select',
    '1.5': 'group',
    '1.6': 'number',
    '2.1': 'yes_no',
    '2.1.1': 'group',
    '2.2': 'checkboxes',
    '2.3': 'long_text',
    '2.4': 'date',
    '2.5': 'file',
    '2.6': 'text',
    '2.7': 'text',
  });
  const questions = new Map(questionsOf(model).map((question) => [question.name, question]));
  assert.equal(questions.get('2.1')?.help, 'Also those without a prescription');
  assert.equal(questions.get('1.6')?.label, 'Weight (kg)');
  const marital = questions.get('1.3');
  assert.ok(marital?.kind === 'select' && !marital.other);
  assert.deepEqual(
    marital.choices.map(({ label }) => label),
    ['Married', 'Single'],
  );
  const medicines = questions.get('2.1.1');
  assert.ok(medicines?.kind === 'group');
  assert.deepEqual(
    medicines.items.map(({ kind }) => kind),
    ['text', 'heading', 'number', 'radio'],
  );

  const base = { '1.1': 'Ann', '1.2': '1990-01-01', '1.5': [{ answer: 'Anna' }], '2.2': ['milk'] };
  assert.deepEqual(check({ ...base, '2.1': false, '2.1.1': [{ '2.1.1.1': 'x' }] }).unasked, ['2.1.1']);
  const { problems } = check({ ...base, '2.1': true, '2.1.1': [{ '2.1.1.2.1': 5 }] });
  assert.deepEqual(Object.keys(problems), ['2.1.1.0.2.1.1.1']);
  assert.deepEqual(check({ ...base, '2.1': true, '2.3': 'x' }).unasked, ['2.3']);
  assert.deepEqual(check({ ...base, '2.1': true, '2.2': ['nuts'], '2.3': 'x' }).unasked, []);

  const told = notes.map(({ path, note }) => `${path}: ${note}`);
  for (const expected of [
    '1.4: its value set did not come along: any text is taken',
    '1.6: a quantity is asked as a number, with its unit in the label',
    '2.1: what stood below this question follows it, and is asked once it is answered',
    '2.4: the date is asked, and not the time of day',
    '2.4: the answer that stands there from the beginning is left out',
    '2.6: a condition could not be carried over: the question is always asked',
    '2.7: a reference to a record is asked as a text',
  ]) {
    assert.ok(told.includes(expected), `${expected}\n${told.join('\n')}`);
  }
});

/** Whether a question with a condition is asked, given the answer that it is about. */
function when(operator: string, answer: object, repeats = false) {
  const asked = { linkId: 'a', type: 'choice', repeats, answerOption: [{ valueString: 'x' }, { valueString: 'y' }] };
  const item = [asked, { linkId: 'b', type: 'string', enableWhen: [{ question: 'a', operator, ...answer }] }];
  const { check } = imported({ resourceType: 'Questionnaire', item });
  return (sent: unknown) => check({ a: sent, b: 'here' }).unasked.length === 0;
}

test('conditions of others hold as they were meant', () => {
  const is = when('=', { answerString: 'x' });
  assert.deepEqual([is('x'), is('y'), is(undefined)], [true, false, false]);
  const isNot = when('!=', { answerString: 'x' });
  assert.deepEqual([isNot('x'), isNot('y'), isNot(undefined)], [false, true, false]);
  const exists = when('exists', { answerBoolean: true });
  assert.deepEqual([exists('x'), exists(undefined)], [true, false]);
  const missing = when('exists', { answerBoolean: false });
  assert.deepEqual([missing('x'), missing(undefined)], [false, true]);
  const among = when('=', { answerCoding: { code: 'x' } }, true);
  assert.deepEqual([among(['y', 'x']), among(['y']), among(undefined)], [true, false, false]);
});

test('what stands below questions that stand below others is asked once all of them are answered', () => {
  const leaf = { linkId: 'd', type: 'string', enableWhen: [{ question: 'c', operator: '=', answerString: 'x' }] };
  const below = [{ linkId: 'c', type: 'string', item: [{ linkId: 'g', type: 'group', item: [leaf] }] }];
  const item = [{ linkId: 'a', type: 'string', item: [{ linkId: 'b', type: 'string', item: below }] }];
  const { check } = imported({ resourceType: 'Questionnaire', item });
  const sent = { a: 'x', b: 'x', c: 'x', d: 'x' };
  assert.deepEqual(check(sent).unasked, []);
  assert.deepEqual(check({ ...sent, c: 'y' }).unasked, ['d']);
  assert.deepEqual(check({ ...sent, c: '' }).unasked, ['d']);
  assert.deepEqual(check({ ...sent, b: '' }).unasked.toSorted(), ['c', 'd']);
  assert.deepEqual(check({ ...sent, a: '' }).unasked.toSorted(), ['b', 'c', 'd']);
});

test('what was imported can be given out again', () => {
  for (const questionnaire of [PHQ_9, INTAKE]) {
    assert.deepEqual(faultsOf(questionnaire), [], 'the examples themselves are good');
    assert.deepEqual(faultsOf(questionnaireOf(fromQuestionnaire(questionnaire).form_json)), []);
  }
});
