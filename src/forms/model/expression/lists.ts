import { booleanIn, numberIn, type Value } from './values.ts';

/** The values of a list as they are compared, so that none is looked for among all of them again. */
class Listed {
  readonly #texts = new Set<string>();
  /** What is a number, and what is one or is written as one; the same of yes and no. */
  readonly #numbers = new Set<number>();
  readonly #writtenNumbers = new Set<number>();
  readonly #booleans = new Set<boolean>();
  readonly #writtenBooleans = new Set<boolean>();
  #hasNull = false;
  #hasAbsent = false;

  constructor(list: readonly Value[]) {
    for (const item of list) {
      const [number, boolean] = [numberIn(item), booleanIn(item)];
      if (item === null) this.#hasNull = true;
      if (item === undefined) this.#hasAbsent = true;
      if (typeof item === 'string') this.#texts.add(item);
      if (typeof item === 'boolean') this.#booleans.add(item);
      if (boolean !== undefined) this.#writtenBooleans.add(boolean);
      if (number !== undefined) this.#writtenNumbers.add(number);
      if (number !== undefined && typeof item === 'number') this.#numbers.add(number);
    }
  }

  /** Whether one of the values is equal to this one (see areEqual). */
  has(value: Value): boolean {
    if (value === null) return this.#hasNull || this.#hasAbsent;
    if (value === undefined) return this.#hasNull;
    if (typeof value === 'number') return this.#writtenNumbers.has(value);
    if (typeof value === 'boolean') return this.#writtenBooleans.has(value);
    if (typeof value !== 'string') return false;
    return this.#texts.has(value) || isIn(this.#numbers, numberIn(value)) || isIn(this.#booleans, booleanIn(value));
  }
}

function isIn<V>(set: ReadonlySet<V>, value: V | undefined): boolean {
  return value !== undefined && set.has(value);
}

const known = new WeakMap<readonly Value[], Listed>();

/** Whether a list has a value that is equal to this one. A list does not change after it was asked for one. */
export function hasEqual(list: readonly Value[], value: Value): boolean {
  const listed = known.get(list) ?? new Listed(list);
  known.set(list, listed);
  return listed.has(value);
}
