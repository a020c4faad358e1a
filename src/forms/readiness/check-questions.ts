import type { Choice, FormModel, Item, Question } from '../model/form-model.ts';
import { type Answered, questionsOf } from '../model/questions.ts';
import { error, type Finding, warning } from './finding.ts';

/** A name as programs write it, which tells a person little. */
const PROGRAM_NAME = /^[a-z]*[_.\d-][a-z0-9_.-]*$|^[a-z]+[A-Z]\w*$/;

/** What is wrong with single questions: what they are called, what they offer, what they take. */
export function checkQuestions(model: FormModel): Finding[] {
  const questions = questionsOf(model);
  if (model.shape === 'unknown' || questions.length === 0) {
    return [error(null, 'The form asks nothing. Add a question before it is published.')];
  }
  return [...model.pages.flatMap(({ items }) => checkLabels(items)), ...questions.flatMap(checkQuestion)];
}

function checkQuestion(question: Answered): Finding[] {
  if (question.kind === 'group') {
    if (question.items.every(({ kind }) => kind === 'heading'))
      return [error(question.name, 'The group has no questions in it.')];
    return [
      ...checkLabels(question.items),
      ...question.items.flatMap((each) => (isHeading(each) ? [] : checkQuestion(each))),
    ];
  }
  return [...checkOffer(question), ...checkFile(question)];
}

function isHeading(item: Item): item is Extract<Item, { kind: 'heading' }> {
  return item.kind === 'heading';
}

/** Labels that tell nothing, and those that stand twice on a page. */
function checkLabels(items: readonly Item[]): Finding[] {
  const asked = items.flatMap(askedIn).filter(({ kind }) => kind !== 'hidden');
  const unnamed = asked
    .filter(({ label, name }) => label.trim() === '' || (label === name && PROGRAM_NAME.test(name)))
    .map(({ name }) => error(name, 'The question has no label that tells people what is asked.'));
  const byLabel = Map.groupBy(asked, ({ label }) => label.trim().toLowerCase());
  const twice = [...byLabel.values()].flatMap(([, ...others]) =>
    others.map(({ name }) => warning(name, 'Another question on the same page has the same label.')),
  );
  return [...unnamed, ...twice];
}

function askedIn(item: Item): Answered[] {
  if (item.kind === 'section') return item.items.flatMap(askedIn);
  return item.kind === 'heading' ? [] : [item];
}

function checkOffer(question: Question): Finding[] {
  if (question.kind === 'matrix') {
    if (question.rows.length === 0 || question.columns.length === 0)
      return [error(question.name, 'The table has no rows or no columns.')];
    return [...checkChoices(question.name, question.rows), ...checkChoices(question.name, question.columns)];
  }
  if (!('choices' in question)) return [];
  if (question.choices.length === 0) return [error(question.name, 'The question offers nothing to choose from.')];
  return checkChoices(question.name, question.choices);
}

function checkChoices(name: string, choices: readonly Choice[]): Finding[] {
  const labels = choices.map(({ label }) => label.trim().toLowerCase());
  const findings: Finding[] = [];
  if (labels.includes('')) findings.push(error(name, 'One of the choices has no text.'));
  if (new Set(labels).size < labels.length) findings.push(warning(name, 'Two of the choices read the same.'));
  return findings;
}

function checkFile(question: Question): Finding[] {
  if (question.kind !== 'file' || question.mostBytes !== null) return [];
  return [
    warning(question.name, 'Files may be as large as 250 MB. Say how large they may be, so that nobody waits in vain.'),
  ];
}
