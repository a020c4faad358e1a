import { isPlain, type Plain } from '../model/compile/settings.ts';
import { choiceIn, scoreIn } from './codings.ts';
import { ownUrl, ownValue } from './extensions.ts';
import type { ReadingNotes } from './reading-notes.ts';

/** A choice as a form's own JSON has it. */
interface Option {
  value: string;
  label: string;
  score?: number;
  const?: number | boolean;
}

/** The choices of a value set, read once for all questions that ask for it. */
export interface ValueSet {
  options: Option[];
  /** How many characters they have together. */
  length: number;
}

/** The choices of an item: those that stand on it, or those of a value set that came along. */
export function readOptions(item: Plain, notes: ReadingNotes): Option[] {
  const listed = listOf(item['answerOption']);
  if (listed.some((option) => option['initialSelected'] === true)) {
    notes.add(item, 'nothing is chosen beforehand');
  }
  const options = listed.flatMap(optionOf);
  if (options.length < listed.length) notes.add(item, 'a choice without a value is left out');
  if (typeof item['answerValueSet'] !== 'string') return options;
  const set = setOf(item, notes.valueSets);
  if (set === undefined) notes.add(item, 'its value set did not come along: any text is taken');
  return [...options, ...(set?.options ?? [])];
}

/** The value set that an item takes its choices from; undefined where it names none, or none that came along. */
export function setOf(item: Plain, valueSets: ReadonlyMap<string, ValueSet>): ValueSet | undefined {
  const set = item['answerValueSet'];
  return typeof set === 'string' ? valueSets.get(set.replace(/^#/, '')) : undefined;
}

/** The rows of a matrix that we wrote, and its columns. */
export function readMatrix(item: Plain, notes: ReadingNotes): { rows: Option[]; columns: Option[] } {
  const rows = listOf(item['item']).filter((row) => row['type'] !== 'display');
  const [first] = rows;
  return {
    rows: rows.flatMap((row) => {
      const value = [ownValue(row, 'value'), row['linkId']].find((each) => typeof each === 'string');
      if (value === undefined) return [];
      const score = ownValue(row, 'score');
      const label = typeof row['text'] === 'string' ? row['text'] : value;
      return [{ value, label, ...(typeof score === 'number' ? { score } : {}) }];
    }),
    columns: first === undefined ? columnsOf(item) : readOptions(first, notes),
  };
}

/** The value sets that stand in a Questionnaire, by their ids. */
export function readValueSets(contained: unknown): Map<string, ValueSet> {
  const sets = listOf(contained).filter((resource) => resource['resourceType'] === 'ValueSet');
  return new Map(sets.flatMap((set) => (typeof set['id'] === 'string' ? [[set['id'], readSet(set)] as const] : [])));
}

function readSet(set: Plain): ValueSet {
  const options = conceptsOf(set).flatMap((concept) => readOption(concept, concept));
  return { options, length: options.reduce((sum, { value, label }) => sum + value.length + label.length, 0) };
}

function conceptsOf({ expansion, compose }: Plain): Plain[] {
  const expanded = isPlain(expansion) ? listOf(expansion['contains']) : [];
  if (expanded.length > 0) return expanded;
  return isPlain(compose) ? listOf(compose['include']).flatMap((include) => listOf(include['concept'])) : [];
}

function columnsOf(item: Plain): Option[] {
  return listOf(item['extension'])
    .filter((each) => each['url'] === ownUrl('column'))
    .flatMap((each) => readOption(each['valueCoding'], each['valueCoding']));
}

function optionOf(option: Plain): Option[] {
  const [key, value] = Object.entries(option).find(([name]) => name.startsWith('value')) ?? [];
  if (key === 'valueCoding') return readOption(option, value);
  if (key === 'valueReference') return isPlain(value) ? readOption(option, { display: value['display'] }) : [];
  return typeof value === 'string' || typeof value === 'number' ? readOption(option, { code: String(value) }) : [];
}

function readOption(part: unknown, coding: unknown): Option[] {
  const choice = choiceIn(coding);
  const score = scoreIn(part, coding);
  if (choice === null) return [];
  const constant = ownValue(part, 'constant');
  const isTyped = typeof constant === 'number' || typeof constant === 'boolean';
  return [{ ...choice, ...(score === null ? {} : { score }), ...(isTyped ? { const: constant } : {}) }];
}

function listOf(value: unknown): Plain[] {
  return Array.isArray(value) ? value.filter(isPlain) : [];
}
