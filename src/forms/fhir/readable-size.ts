import { invalidField } from '../../platform/errors.ts';
import { MOST_CHOICES } from '../model/compile/notes.ts';
import { isPlain, type Plain } from '../model/compile/settings.ts';
import { setOf, type ValueSet } from './read-options.ts';

/** How many items a Questionnaire may have, those inside others included. */
export const MOST_ITEMS = 20_000;
/** How many choices all its questions may have together. */
export const MOST_CHOICES_IN_ALL = 100_000;
/** How many characters the choices of value sets may come to, each set counted for every question that asks for it. */
export const MOST_COPIED = 4 * 2 ** 20;
/** How many characters the form that is made of it may have. */
export const LARGEST_FORM = 8 * 2 ** 20;

/** Refuses a Questionnaire of which more would come than a form can hold, before any of it is read. */
export function requireReadable(root: Plain, valueSets: ReadonlyMap<string, ValueSet>): void {
  const found = { items: 0, choices: 0, copied: 0 };
  const left: unknown[] = [root];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    if (!isPlain(item)) continue;
    const set = setOf(item, valueSets);
    const choices = entriesOf(item['answerOption']).length + (set?.options.length ?? 0);
    atMost('item.answerOption', choices, MOST_CHOICES, 'choices for a question');
    found.choices += choices;
    atMost('item.answerOption', found.choices, MOST_CHOICES_IN_ALL, 'choices in all');
    found.copied += set?.length ?? 0;
    atMost('item.answerValueSet', found.copied, MOST_COPIED, 'characters of choices, for all questions together');
    const inside = entriesOf(item['item']);
    found.items += inside.length;
    atMost('item', found.items, MOST_ITEMS, 'items, those inside others included');
    for (const each of inside) left.push(each);
  }
}

/** Refuses what became larger than a form may be, since what is said once may stand in it many times. */
export function requireFormSize(form: Plain): void {
  atMost('item', JSON.stringify(form).length, LARGEST_FORM, 'characters in the form that is made of them');
}

function atMost(field: string, count: number, most: number, what: string): void {
  if (count > most) throw invalidField(field, `takes at most ${most} ${what}`);
}

function entriesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
