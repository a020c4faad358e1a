import { holds } from '../model/expression/evaluate.ts';
import { type Expression, namesIn } from '../model/expression/syntax.ts';
import type { FormModel, Item, Question } from '../model/form-model.ts';
import { type Answered, questionsOf } from '../model/questions.ts';
import { todayAt } from '../model/today.ts';
import { error, type Finding, warning } from './finding.ts';

interface Shown {
  field: string;
  /** The questions that follow from it being shown. */
  showWhen: Expression;
  inside: string[];
}

/** What nobody will ever be asked, as its condition cannot come true when it is needed. */
export function checkConditions(model: FormModel): Finding[] {
  const questions = questionsOf(model);
  const pageOf = new Map(model.pages.flatMap((page, at) => namesOf(page.items).map((name) => [name, at] as const)));
  const byName = new Map(questions.map((question) => [question.name, question]));
  const conditions = model.pages.flatMap((page) => [
    ...(page.showWhen === null ? [] : [{ field: page.id, showWhen: page.showWhen, inside: namesOf(page.items) }]),
    ...page.items.flatMap(conditionsIn),
  ]);
  return conditions.flatMap(({ field, showWhen, inside }) => {
    if (isNever(showWhen, byName)) return [error(field, 'It is never shown: its condition can never come true.')];
    const names = [...namesIn(showWhen)];
    if (names.some((name) => inside.includes(name)))
      return [error(field, 'It is shown only where it has been answered already.')];
    const own = Math.min(...inside.map((name) => pageOf.get(name) ?? 0));
    if (names.some((name) => (pageOf.get(name) ?? 0) > own))
      return [warning(field, 'It depends on a question of a later page, which nobody has answered by then.')];
    return [];
  });
}

function namesOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'section') return namesOf(item.items);
    return item.kind === 'heading' ? [] : [item.name];
  });
}

function conditionsIn(item: Item): Shown[] {
  const field = 'name' in item ? item.name : item.id;
  const own = item.showWhen === null ? [] : [{ field, showWhen: item.showWhen, inside: namesOf([item]) }];
  return item.kind === 'section' ? [...own, ...item.items.flatMap(conditionsIn)] : own;
}

/** Whether a condition cannot hold: it says so itself, or asks for a choice that is not offered. */
function isNever(condition: Expression, questions: ReadonlyMap<string, Answered>): boolean {
  if (namesIn(condition).size === 0) {
    return !holds(condition, { answer: () => undefined, score: () => undefined, today: todayAt(new Date(0)) });
  }
  if (condition.kind === 'and') return isNever(condition.left, questions) || isNever(condition.right, questions);
  if (condition.kind === 'or') return isNever(condition.left, questions) && isNever(condition.right, questions);
  const wanted = wantedOf(condition);
  const question = wanted === null ? undefined : questions.get(wanted.name);
  if (wanted === null || question === undefined || !isClosed(question)) return false;
  const offered = question.choices.flatMap(({ value, label }) => [value.toLowerCase(), label.toLowerCase()]);
  return wanted.values.every((value) => !offered.includes(value.toLowerCase()));
}

/** The texts of which one has to be the answer to a question, where that is all a condition says. */
function wantedOf(condition: Expression): { name: string; values: string[] } | null {
  if (condition.kind === 'in') return textsFor(condition.of, condition.list);
  if (condition.kind !== 'compare' || condition.sign !== '==') return null;
  return textsFor(condition.left, [condition.right]) ?? textsFor(condition.right, [condition.left]);
}

function textsFor(of: Expression, list: readonly Expression[]): { name: string; values: string[] } | null {
  if (of.kind !== 'answer') return null;
  const values = list.flatMap((each) =>
    each.kind === 'literal' && typeof each.value === 'string' ? [each.value] : [],
  );
  return values.length === list.length && values.length > 0 ? { name: of.name, values } : null;
}

type Offering = Extract<Question, { kind: 'select' | 'radio' | 'checkboxes' }>;

function isClosed(question: Answered): question is Offering {
  return 'choices' in question && !question.other && question.choices.length > 0;
}
