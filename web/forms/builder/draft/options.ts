import { CHOICE_KEYS } from '../../../../src/forms/model/compile/element-kind.ts';
import { isPlain, Settings, textIn } from '../../../../src/forms/model/compile/settings.ts';
import type { Draft } from './draft.ts';
import { nameOf } from './names.ts';
import { locate, type Setting, setAt, valueAt, withSetting } from './settings.ts';
import { allElements } from './tree.ts';

/** A choice as it is written, and what the product reads from it. */
export interface Option {
  raw: unknown;
  value: string;
  label: string;
  score: number | null;
}

/** A list of choices of an element. */
export interface OptionList {
  keys: readonly string[];
  as: string;
}

export const OPTIONS: OptionList = { keys: CHOICE_KEYS, as: 'options' };
export const ROWS: OptionList = { keys: ['rows', 'questions', 'statements'], as: 'rows' };
export const COLUMNS: OptionList = { keys: ['columns', 'cols', ...CHOICE_KEYS], as: 'columns' };

const LABEL: Setting = { keys: ['label', 'text', 'title'], as: 'label' };
const VALUE: Setting = { keys: ['value', 'const'], as: 'value' };
const SCORE: Setting = { keys: ['score', 'points'], as: 'score' };

/** The choices in one of the lists of an element, also those that say nothing yet. */
export function optionsOf(raw: unknown, list: OptionList): Option[] {
  const values = valueAt(raw, pathOf(raw, list));
  return Array.isArray(values) ? values.map(readOption) : [];
}

/** The element with other choices in one of its lists. */
export function withOptions(raw: unknown, list: OptionList, options: readonly Option[]) {
  const values = options.map((option) => option.raw);
  return setAt(isPlain(raw) ? raw : {}, pathOf(raw, list), values);
}

/** A choice with other words; what is kept of it stays. */
function withLabel({ raw, value }: Option, label: string): Option {
  if (!isPlain(raw)) return readOption({ value, label });
  const kept = locate(raw, VALUE.keys) === null ? withSetting(raw, VALUE, value) : raw;
  return readOption(withSetting(kept, LABEL, label));
}

/** The same for a choice that nobody can have made yet: what is kept follows the words, and is none of `taken`. */
function withFreshLabel(option: Option, label: string, taken: ReadonlySet<string>): Option {
  const { raw } = option;
  if (!isPlain(raw)) return newOption(label, taken);
  const reworded = withSetting(raw, LABEL, label);
  const kept = follows(option) && locate(raw, VALUE.keys) !== null ? label : readOption(reworded).value;
  const own = valueFrom(kept, taken);
  if (own === readOption(reworded).value) return readOption(reworded);
  const isBare = own === label && Object.keys(reworded).length === 2;
  return readOption(isBare ? label : withSetting(reworded, VALUE, own));
}

/** Whether what is kept of a choice was made from its words, rather than chosen by somebody. */
function follows({ value, label }: Option): boolean {
  return value === label || (value.startsWith(`${label} `) && /^\d+$/.test(value.slice(label.length + 1)));
}

/** A value that none of the others has, since of two choices under one value only the first would be offered. */
function valueFrom(label: string, taken: ReadonlySet<string>): string {
  if (label.trim() === '') return label;
  let value = label;
  for (let number = 2; taken.has(value); number += 1) value = `${label} ${number}`;
  return value;
}

/** A choice that is kept under another value. */
export function withValue({ raw, label }: Option, value: string): Option {
  return readOption(withSetting(isPlain(raw) ? raw : { label }, VALUE, value));
}

/** A choice that counts in calculations, or no more. */
export function withScore({ raw, value }: Option, score: number | null): Option {
  return readOption(withSetting(isPlain(raw) ? raw : { value, label: value }, SCORE, score ?? undefined));
}

/** A new choice, kept under a value that is none of `taken`. */
function newOption(label: string, taken: ReadonlySet<string>): Option {
  const value = valueFrom(label, taken);
  return readOption(value === label ? label : { value, label });
}

/** The choices with new ones behind them. */
export function withNewOptions(options: readonly Option[], labels: readonly string[]): Option[] {
  return labels.reduce<Option[]>((all, label) => [...all, newOption(label, valuesOf(all))], [...options]);
}

/** What is kept of each of these choices. */
export function valuesOf(options: readonly Option[]): Set<string> {
  return new Set(options.map(({ value }) => value));
}

/** The choices after other words for one of them; `stored` are the values that people may have chosen already. */
export function relabelOption(
  options: readonly Option[],
  at: number,
  label: string,
  stored: ReadonlySet<string>,
): Option[] {
  return options.map((option, place) => {
    if (place !== at) return option;
    if (stored.has(option.value)) return withLabel(option, label);
    return withFreshLabel(option, label, new Set([...valuesOf(options.toSpliced(at, 1)), ...stored]));
  });
}

/** The values that a stored form offers in this list of a question; null where it does not know the question. */
export function storedValues(form: Draft, name: string | null, list: OptionList): Set<string> | null {
  const known = allElements(form).filter(({ element }) => name !== null && nameOf(element) === name);
  return known.length === 0 ? null : valuesOf(known.flatMap(({ element }) => optionsOf(element.raw, list)));
}

function pathOf(raw: unknown, { keys, as }: OptionList): string[] {
  const path = locate(raw, keys, Array.isArray);
  if (path !== null) return path;
  return keys === OPTIONS.keys && Array.isArray(valueAt(raw, ['data', 'values'])) ? ['data', 'values'] : [as];
}

function readOption(raw: unknown): Option {
  if (!isPlain(raw)) {
    const value = typeof raw === 'boolean' ? String(raw) : (textIn(raw) ?? '');
    return { raw, value, label: value, score: null };
  }
  const settings = new Settings(raw);
  const own = settings.get('value', 'const');
  const value =
    typeof own === 'boolean' ? String(own) : (settings.text('value', 'const', 'id', 'name', 'label', 'text') ?? '');
  const written = locate(raw, LABEL.keys);
  return {
    raw,
    value,
    label: written === null ? (settings.text('name') ?? value) : String(valueAt(raw, written)),
    score: settings.number('score', 'points'),
  };
}
