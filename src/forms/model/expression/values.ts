/**
 * A value while an expression is evaluated. Undefined is an answer that is absent; null is only ever the word that an
 * absent answer can be compared with.
 */
export type Value = unknown;

/** How much of a text is searched: conditions are worked out many times for each answer. */
export const MOST_SEARCHED = 20_000;

const NUMERIC = /^-?\d+(?:\.\d+)?$/;

/** The number that a value is, or that its text writes; undefined for all others. */
export function numberIn(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMERIC.test(value) ? finite(Number(value)) : undefined;
}

/** A number that can be reckoned on with; what overflows is absent. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Whether two values are the same; an absent one is the same only as the literal null. */
export function areEqual(left: Value, right: Value): boolean {
  if (isNothing(left) || isNothing(right)) {
    return isNothing(left) && isNothing(right) && (left === null || right === null);
  }
  if (typeof left === 'number' || typeof right === 'number') {
    const number = numberIn(left);
    return number !== undefined && number === numberIn(right);
  }
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    const boolean = booleanIn(left);
    return boolean !== undefined && boolean === booleanIn(right);
  }
  return typeof left === 'string' && left === right;
}

/** Whether two values are there (or null) and not the same. */
export function areDifferent(left: Value, right: Value): boolean {
  return left !== undefined && right !== undefined && !areEqual(left, right);
}

/** The order of two values as -1, 0 or 1: numbers by size, other texts by their characters; undefined for all others. */
export function orderOf(left: Value, right: Value): number | undefined {
  const [a, b] = [numberIn(left), numberIn(right)];
  if (a !== undefined && b !== undefined) return Math.sign(a - b);
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return left < right ? -1 : Number(left > right);
}

/** Whether the beginning of a text has a value as a part. */
export function isPartOf(whole: Value, part: Value): boolean {
  return typeof whole === 'string' && (typeof part === 'string' || typeof part === 'number')
    ? whole.slice(0, MOST_SEARCHED).includes(String(part))
    : false;
}

/** Whether a value counts as true: all but false, 0, the empty text, the empty list and what is absent. */
export function isTrue(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Whether nothing is there: absent, null, or a list or text without content. */
export function isEmpty(value: Value): boolean {
  return isNothing(value) || value === '' || (Array.isArray(value) && value.length === 0);
}

function isNothing(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** What is yes or no, or says it: older forms compare yes/no questions with words. */
export function booleanIn(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  if (word === 'true' || word === 'yes') return true;
  return word === 'false' || word === 'no' ? false : undefined;
}
