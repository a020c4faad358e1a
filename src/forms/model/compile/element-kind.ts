import type { Settings } from './settings.ts';
import { type ElementKind, kindOfWord } from './type-words.ts';

/** Where the lists of choices stand. */
export const CHOICE_KEYS = ['options', 'choices', 'values', 'enum', 'items'];

/** Where the elements inside a section, a page or a group stand. */
export const CHILD_KEYS = ['fields', 'elements', 'body', 'children', 'components', 'questions'];

/** What an element of a form is, by its type and by what stands on it. */
export function kindOf(settings: Settings): Exclude<ElementKind, 'checkbox' | 'slider'> {
  const word = settings.text('type', 'fieldtype', 'inputtype');
  const hasChoices = settings.list(...CHOICE_KEYS) !== null;
  const known = word === null ? null : kindOfWord(word);
  if (known === 'checkbox') return hasChoices ? 'checkboxes' : 'yes_no';
  if ((known === 'rating' || known === 'slider') && hasChoices) return 'radio';
  if (known === 'slider') return hasFractions(settings) ? 'number' : 'rating';
  if (known === 'select' && settings.flag('multiple')) return 'checkboxes';
  if (known === 'section' && settings.flag('repeat', 'repeating', 'repeatable')) return 'group';
  if (known === 'group' && childrenOf(settings, 'items', 'columns') === null) return hasChoices ? 'select' : 'unknown';
  if (known !== null) return known;
  if (childrenOf(settings) !== null) return 'section';
  if (word === null) return hasChoices ? 'select' : 'text';
  return 'unknown';
}

/** Whether a slider also stops between whole numbers, which a scale does not. */
function hasFractions(settings: Settings): boolean {
  const stops = [settings.number('min', 'minimum'), settings.number('max', 'maximum'), settings.number('step')];
  return stops.some((stop) => stop !== null && !Number.isInteger(stop));
}

/** Whether any answer is taken because the form says so, and not because nobody knows what it says. */
export function takesAnything(settings: Settings): boolean {
  return kindOfWord(settings.text('type', 'fieldtype', 'inputtype') ?? '') === 'unknown';
}

/** The elements that stand inside one. */
export function childrenOf(settings: Settings, ...more: string[]): unknown[] | null {
  return settings.list(...CHILD_KEYS, ...more);
}
