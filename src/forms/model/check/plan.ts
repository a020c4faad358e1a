import { type Expression, namesIn, stepsOf } from '../expression/syntax.ts';
import type { FormModel, Item, Page, Question, RepeatingGroup } from '../form-model.ts';
import { slugsOf } from '../slug.ts';
import { stepsOfItems } from '../steps.ts';

/** A question with all that decides whether it is asked: the conditions of its page, its sections and its own. */
export interface Asking {
  question: Question | RepeatingGroup;
  conditions: readonly Expression[];
  /** Keys under which its answer may stand where it does not stand under its name. */
  aliases: readonly string[];
  /** Questions that its conditions must see as absent, since those in turn wait for this one. */
  blind: ReadonlySet<string>;
}

/** The questions of a form or of one entry of a group. */
export interface Plan {
  askings: readonly Asking[];
  byName: ReadonlyMap<string, Asking>;
  /** The same in an order in which every question comes after those that its conditions speak of. */
  order: readonly Asking[];
  /** How many steps the expressions of its questions take at most. */
  steps: number;
  /** How many the conditions take of those that wait for themselves, for which nothing that is known of others counts. */
  stepsInCircles: number;
}

const plans = new WeakMap<object, Plan>();
const knownNames = new WeakMap<Expression, ReadonlySet<string>>();
const knownSteps = new WeakMap<Expression, number>();

/** The plan of a form, worked out once for each model. */
export function planOfForm(model: FormModel): Plan {
  return remembered(plans, model, () => makePlan(model.pages.flatMap(askingsOfPage)));
}

/** The plan of one entry of a repeating group. */
export function planOfEntry(group: RepeatingGroup): Plan {
  return remembered(plans, group, () => makePlan(askingsIn(group.items, [])));
}

/** How many steps the expressions in one entry of a repeating group take at most. */
export function stepsOfEntry(group: RepeatingGroup): number {
  return planOfEntry(group).steps;
}

function remembered<Owner extends object, T>(known: WeakMap<Owner, T>, owner: Owner, make: () => T): T {
  const made = known.get(owner) ?? make();
  known.set(owner, made);
  return made;
}

type Draft = Asking & { blind: Set<string> };

function askingsOfPage(page: Page): Draft[] {
  return askingsIn(page.items, page.showWhen === null ? [] : [page.showWhen]);
}

function askingsIn(items: readonly Item[], around: readonly Expression[]): Draft[] {
  return items.flatMap((item) => {
    if (item.kind === 'heading') return [];
    const conditions = item.showWhen === null ? around : [...around, item.showWhen];
    if (item.kind === 'section') return askingsIn(item.items, conditions);
    const aliases = [item.id, ...slugsOf(item.name)].filter((alias) => alias !== item.name);
    return [{ question: item, conditions, aliases, blind: new Set<string>() }];
  });
}

function makePlan(askings: Draft[]): Plan {
  const byName = new Map(askings.map((asking) => [asking.question.name, asking]));
  const order = inOrder(askings, byName);
  return {
    askings,
    byName,
    order,
    steps: stepsOfItems(askings.map(({ question }) => question)),
    stepsInCircles: stepsInCircles(order),
  };
}

function stepsInCircles(order: readonly Asking[]): number {
  const conditions = order.flatMap((asking) => (asking.blind.size === 0 ? [] : asking.conditions));
  return conditions.reduce((sum, condition) => sum + remembered(knownSteps, condition, () => stepsOf(condition)), 0);
}

/** A walk in depth without recursion, as a chain may be as long as a form. A name met on the way to itself is blind. */
function inOrder(askings: readonly Draft[], byName: ReadonlyMap<string, Draft>): Draft[] {
  const order: Draft[] = [];
  const states = new Map<Draft, 'open' | 'done'>();
  for (const start of askings) {
    const way = states.has(start) ? [] : [{ asking: start, left: neededBy(start) }];
    states.set(start, states.get(start) ?? 'open');
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const name = step.left.pop();
      const needed = name === undefined ? undefined : byName.get(name);
      if (name === undefined) {
        states.set(step.asking, 'done');
        order.push(step.asking);
        way.pop();
      } else if (needed !== undefined && !states.has(needed)) {
        states.set(needed, 'open');
        way.push({ asking: needed, left: neededBy(needed) });
      } else if (needed !== undefined && states.get(needed) === 'open') step.asking.blind.add(name);
    }
  }
  return order;
}

function neededBy({ question, conditions }: Draft): string[] {
  const needed = new Set(conditions.flatMap((condition) => [...namesOf(condition)]));
  if (question.kind === 'calculated') for (const name of namesOf(question.formula)) needed.add(name);
  if (question.kind === 'group') for (const name of neededInside(question)) needed.add(name);
  return [...needed];
}

/** A section's condition is that of all questions in it. */
function namesOf(expression: Expression): ReadonlySet<string> {
  return remembered(knownNames, expression, () => namesIn(expression));
}

/** What the conditions inside a group need from around it. */
function neededInside(group: RepeatingGroup): string[] {
  const inside = planOfEntry(group);
  return inside.askings.flatMap((asking) => neededBy(asking as Draft)).filter((name) => !inside.byName.has(name));
}
