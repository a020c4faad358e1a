import type { Plain } from '../model/compile/settings.ts';
import type { Note } from '../model/compile.ts';
import type { ValueSet } from './read-options.ts';

const MOST_NOTES = 1_000;

/** Takes down what could not be carried over. */
export interface Noting {
  /** Says something of an item; the same is said only once. */
  add(item: Plain, note: string): void;
}

/** What is found while a Questionnaire is read, and what could not be carried over from it. */
export class ReadingNotes implements Noting {
  readonly notes: Note[] = [];
  /** The value sets that came along, by their ids. */
  readonly valueSets: ReadonlyMap<string, ValueSet>;
  readonly #said = new Set<string>();

  constructor(valueSets: ReadonlyMap<string, ValueSet>) {
    this.valueSets = valueSets;
  }

  add(item: Plain, note: string): void {
    const path = typeof item['linkId'] === 'string' ? item['linkId'] : '';
    const saying = `${note}\n${path}`;
    if (this.notes.length === MOST_NOTES || this.#said.has(saying)) return;
    this.#said.add(saying);
    this.notes.push({ path, note });
  }
}
