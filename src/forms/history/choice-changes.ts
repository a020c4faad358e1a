import type { Choice, Question, RepeatingGroup } from '../model/form-model.ts';
import type { Change, ChangeKind } from './change.ts';
import { labelOf, type Part, told } from './parts.ts';

type Asked = Question | RepeatingGroup;

const LISTS = [
  ['choices', 'choice'],
  ['rows', 'row'],
  ['columns', 'column'],
] as const;

/** How the choices of a question changed, or the rows and columns of a matrix. */
export function choiceChanges(before: Asked, part: Part & { item: Asked }): Change[] {
  return LISTS.flatMap(([key, noun]) => {
    const [old, now] = [listIn(before, key), listIn(part.item, key)];
    return old === null || now === null ? [] : listChanges(part, noun, old, now);
  });
}

function listIn(asked: Asked, key: string): Choice[] | null {
  return (new Map(Object.entries(asked)).get(key) as Choice[] | undefined) ?? null;
}

function listChanges(part: Part, noun: string, old: readonly Choice[], now: readonly Choice[]): Change[] {
  const was = new Map(old.map((choice) => [choice.value, choice]));
  const is = new Map(now.map((choice) => [choice.value, choice]));
  const tell = (change: ChangeKind, rest: string, before: string | null, after: string | null): Change => ({
    change,
    item: part.item.id,
    label: labelOf(part),
    sentence: `The ${noun} ${rest}`,
    before,
    after,
  });
  const of = told(part);
  const changes = [
    ...now
      .filter(({ value }) => !was.has(value))
      .map(({ label }) => tell('choice_added', `"${label}" was added to ${of}.`, null, label)),
    ...old
      .filter(({ value }) => !is.has(value))
      .map(({ label }) => tell('choice_removed', `"${label}" was removed from ${of}.`, label, null)),
  ];
  for (const choice of now) {
    const previous = was.get(choice.value);
    if (previous === undefined) continue;
    if (previous.label !== choice.label) {
      const rest = `"${previous.label}" of ${of} reads "${choice.label}" now.`;
      changes.push(tell('choice_changed', rest, previous.label, choice.label));
    }
    if (previous.score !== choice.score) {
      const [before, after] = [previous.score, choice.score].map((score) =>
        score === null ? 'nothing' : String(score),
      );
      const rest = `"${choice.label}" of ${of} counts ${after} now, and not ${before}.`;
      changes.push(tell('choice_changed', rest, before ?? null, after ?? null));
    }
    const [before, after] = [keptAs(previous), keptAs(choice)];
    if (before !== after) {
      const rest = `"${choice.label}" of ${of} is kept as ${after} now, and not as ${before}.`;
      changes.push(tell('choice_changed', rest, before, after));
    }
  }
  if (sharedValues(old, is) !== sharedValues(now, was)) {
    const change = tell('choice_changed', `order of ${of} changed.`, labelsOf(old), labelsOf(now));
    changes.push({ ...change, sentence: `The ${noun}s of ${of} stand in another order.` });
  }
  return changes;
}

function keptAs({ constant }: Choice): string {
  if (constant === undefined) return 'text';
  return typeof constant === 'number' ? 'a number' : 'true or false';
}

/** The values that another list has too, in their order. */
function sharedValues(list: readonly Choice[], other: ReadonlyMap<string, Choice>): string {
  return JSON.stringify(list.filter(({ value }) => other.has(value)).map(({ value }) => value));
}

function labelsOf(list: readonly Choice[]): string {
  return list.map(({ label }) => label).join(', ');
}
