import type { ApiProblem } from '../../../api/problem.ts';
import { words } from '../../../words/drips/problems.ts';
import type { Draft } from './draft.ts';
import { strayStepsOf } from './links.ts';
import { type Happening, isFork, type Step, type Test } from './step.ts';
import { standingsOf } from './tree.ts';

/** What is wrong, by the id of a step; `entry`, `goal` and `campaign` stand for what is around the steps. */
export type Problems = ReadonlyMap<string, string>;

export const ABOUT_ENTRY = 'entry';
export const ABOUT_GOAL = 'goal';
export const ABOUT_CAMPAIGN = 'campaign';

/** What can be seen to be wrong with a draft before the server is asked. */
export function problemsOf(draft: Draft): Map<string, string> {
  const standings = standingsOf(draft.steps);
  const known = new Set(standings.map(({ step }) => step.id));
  const strays = strayStepsOf(draft.steps);
  const found = standings.flatMap(({ step }) => {
    const text = problemOfStep(step, known) ?? (strays.has(step.id) ? words.stray : null);
    return text === null ? [] : [[step.id, text] as const];
  });
  const around: [string, string | null][] = [
    [ABOUT_ENTRY, problemOfEntry(draft)],
    [ABOUT_GOAL, problemOfGoal(draft)],
    [ABOUT_CAMPAIGN, draft.name.trim() === '' ? words.noName : null],
  ];
  return new Map([...found, ...around.flatMap(([about, text]) => (text === null ? [] : [[about, text] as const]))]);
}

/** What the server refused, at the step that it named; null where it named none of them. */
export function placeProblem(
  { fields, message }: ApiProblem,
  steps: readonly Step[],
): [about: string, text: string] | null {
  const [field, rules] = Object.entries(fields)[0] ?? ['', []];
  const rule = rules[0] ?? message;
  if (field.startsWith('drip_campaign.steps')) {
    const named = stepAt(steps, field) ?? stepNamedIn(steps, rule);
    return named === null ? null : [named, rule.replace(/^step [\w-]+: /, '')];
  }
  if (field.startsWith('drip_campaign.goal')) return [ABOUT_GOAL, rule];
  const entry = /^drip_campaign\.(subscription_list_id|start_trigger|form_id|date|reentry)/;
  if (entry.test(field)) return [ABOUT_ENTRY, rule];
  return field.startsWith('drip_campaign.') ? [ABOUT_CAMPAIGN, rule] : null;
}

/** The step to which a path such as drip_campaign.steps[1].then[0].url leads. */
function stepAt(steps: readonly Step[], path: string): string | null {
  let list = steps;
  let found: Step | undefined;
  for (const [, arm, index] of path.matchAll(/(?:\.(steps|then|else))\[(\d+)\]/g)) {
    if (arm !== 'steps' && found !== undefined && isFork(found)) list = found[arm as 'then' | 'else'];
    found = list[Number(index)];
  }
  return found?.id ?? null;
}

function stepNamedIn(steps: readonly Step[], rule: string): string | null {
  const id = /\bstep ([\w-]+)/.exec(rule)?.[1];
  return id !== undefined && standingsOf(steps).some(({ step }) => step.id === id) ? id : null;
}

function problemOfStep(step: Step, known: ReadonlySet<string>): string | null {
  switch (step.type) {
    case 'email':
      return step.campaign_mailing_id === '' ? words.noMailing : null;
    case 'delay':
      return 'until' in step.delay || Object.values(step.delay.span).every(isCount) ? null : words.noTime;
    case 'branch':
      return problemOfTest(step.if);
    case 'wait':
      return problemOfHappening(step.for) ?? (Object.values(step.timeout ?? {}).every(isCount) ? null : words.noTime);
    case 'list':
      return step.list === '' ? words.noList : null;
    case 'field':
      return step.name === '' ? words.noField : null;
    case 'webhook':
      return /^https?:\/\/\S+/i.test(step.url) ? null : words.noUrl;
    case 'goto':
      return step.step !== null && !known.has(step.step) ? words.noTarget : null;
    case 'exit':
      break;
  }
  return null;
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count > 0;
}

function problemOfTest(test: Test): string | null {
  if ('segment' in test) return test.segment === '' ? words.noSegment : null;
  if ('opened' in test) return test.opened === '' ? words.noMailing : null;
  if ('clicked' in test) return test.clicked === '' ? words.noMailing : null;
  const isWhole = test.filters.flat().every(({ terms }) => terms.every((term) => term.trim() !== ''));
  return test.filters.length > 0 && isWhole ? null : words.noRule;
}

function problemOfHappening(happening: Happening): string | null {
  if ('campaign_mailing_id' in happening) return happening.campaign_mailing_id === '' ? words.noMailing : null;
  if (happening.event === 'form_submitted') return happening.form_id === '' ? words.noForm : null;
  if ('subscription_list_id' in happening) return happening.subscription_list_id === '' ? words.noList : null;
  return /^[\w.-]{1,64}$/.test(happening.name) ? null : words.noEvent;
}

function problemOfEntry({
  start_trigger: trigger,
  form_id: form,
  date,
  subscription_list_id: list,
}: Draft): string | null {
  if (list === '') return words.noList;
  if (trigger === 'form_submitted' && (form ?? '') === '') return words.noForm;
  return trigger === 'date_field' && (date === null || date.field === '') ? words.noDate : null;
}

function problemOfGoal({ goal }: Draft): string | null {
  if (goal === null) return null;
  return 'test' in goal ? problemOfTest(goal.test) : problemOfHappening(goal.happening);
}
