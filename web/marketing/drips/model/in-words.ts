import { words } from '../../../words/drips/steps.ts';
import { words as rules } from '../../../words/segments.ts';
import type { Draft, Goal } from './draft.ts';
import type { Happening, Span, Step, Test, Unit } from './step.ts';

/** What things are called that steps name by id; null where there is none, or not yet. */
export interface Names {
  mailing(id: string): string | null;
  list(id: string): string | null;
  form(id: string): string | null;
  segment(id: string): string | null;
  step(id: string): string | null;
}

/** What a step does, in a line. */
export function stepInWords(step: Step, names: Names): string {
  switch (step.type) {
    case 'email':
      return named(names.mailing, step.campaign_mailing_id);
    case 'delay':
      return 'until' in step.delay
        ? words.until(
            words.weekdays[(step.delay.until.weekday ?? 0) as keyof typeof words.weekdays],
            step.delay.until.time,
          )
        : spanInWords(step.delay.span);
    case 'branch':
      return testInWords(step.if, names);
    case 'wait': {
      const happening = happeningInWords(step.for, names);
      return step.timeout === null
        ? words.waitEndless(happening)
        : words.waitAtMost(happening, spanInWords(step.timeout));
    }
    case 'list':
      return step.change === 'add'
        ? words.addTo(named(names.list, step.list))
        : words.takeOff(named(names.list, step.list));
    case 'field':
      return step.name === '' ? words.notChosen : words.setField(step.name, step.value);
    case 'webhook':
      return step.url === '' ? words.notChosen : step.url;
    case 'goto':
      return step.step === null ? words.theEnd : (names.step(step.step) ?? words.unknown);
    case 'exit':
      break;
  }
  return words.exitLine;
}

/** How long something takes, such as "3 days". */
function spanInWords(span: Span): string {
  return Object.entries(span)
    .map(([unit, count]) => words.count(count, unit as Unit))
    .join(words.and);
}

/** What a branch asks, in a line. */
function testInWords(test: Test, names: Names): string {
  if ('segment' in test) return words.inSegment(named(names.segment, test.segment));
  if ('opened' in test) return words.haveOpened(named(names.mailing, test.opened));
  if ('clicked' in test) return words.haveClicked(named(names.mailing, test.clicked));
  const [one, ...others] = test.filters.flat();
  if (one === undefined) return words.notChosen;
  const field = rules.fields[one.field] ?? one.field.replace(/^custom_fields\./, '');
  return words.rule(field, rules.ops[one.op] ?? one.op.replaceAll('_', ' '), one.terms.join(', '), others.length);
}

/** What is waited for, in a line. */
function happeningInWords(happening: Happening, names: Names): string {
  switch (happening.event) {
    case 'opened':
      return words.theyOpen(named(names.mailing, happening.campaign_mailing_id));
    case 'clicked':
      return words.theyClick(named(names.mailing, happening.campaign_mailing_id));
    case 'form_submitted':
      return words.theySubmit(happening.form_id === undefined ? words.anyForm : named(names.form, happening.form_id));
    case 'joined':
      return words.theyJoin(named(names.list, happening.subscription_list_id));
    case 'left':
      return words.theyLeave(named(names.list, happening.subscription_list_id));
    case 'custom':
      break;
  }
  return words.theEvent(happening.name === '' ? words.notChosen : happening.name);
}

/** Who enters, in a line. */
export function entryInWords(draft: Draft, names: Names): string {
  const list = named(names.list, draft.subscription_list_id);
  switch (draft.start_trigger) {
    case 'form_submitted':
      return words.enterByForm(named(names.form, draft.form_id ?? ''), list);
    case 'date_field':
      return words.enterByDate(draft.date?.field ?? words.notChosen, draft.date?.days ?? 0, list);
    case 'manual':
      return words.enterByHand(list);
    default:
      return words.enterByJoining(list);
  }
}

/** What the drip is to bring about, in a line. */
export function goalInWords(goal: Goal | null, names: Names): string {
  if (goal === null) return words.noGoal;
  return 'test' in goal ? testInWords(goal.test, names) : happeningInWords(goal.happening, names);
}

/** What came of a step for somebody, such as the way that they went at a fork; null where nothing is to be said. */
export function outcomeInWords(type: string | null, outcome: string | null): string | null {
  if (outcome === null) return null;
  if ((type === 'branch' || type === 'wait') && (outcome === 'then' || outcome === 'else'))
    return words.arms[type][outcome];
  return words.outcomes[outcome as keyof typeof words.outcomes] ?? null;
}

function named(find: (id: string) => string | null, id: string): string {
  return id === '' ? words.notChosen : (find(id) ?? words.unknown);
}
