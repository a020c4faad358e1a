import { invalidField, missingField } from '../platform/errors.ts';

/** Parameters as they are sent; one may be repeated, and then the last counts. */
export type Wire = Partial<Record<string, string | string[]>>;

export interface Page {
  page: number;
  items: number;
}

const LARGEST = 2 ** 31 - 1;

/** The value of a parameter; undefined where it is absent or empty. */
export function one(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value.at(-1) : value) || undefined;
}

/** Which page is wanted and how long it is. */
export function readPage(wire: Wire, { items, most }: { items: number; most: number }): Page {
  return {
    page: readCount('page', one(wire.page), 1, LARGEST),
    items: readCount('items', one(wire.items), items, most),
  };
}

/** One of the words that a parameter takes. */
export function readChoice<Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  if (text === undefined) return choices[0];
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw invalidField(name, `takes ${choices.join(', ')}`);
  return found;
}

/** The id of something that is numbered, from a string or a number. */
export function readNumber(name: string, id: string | number): number {
  if (!/^[1-9]\d{0,14}$/.test(String(id))) throw missingField(name, 'there is none with this id');
  return Number(id);
}

/** The number of a version; one beyond all that can be kept stands for none that there is. */
export function readVersionNumber(name: string, number: string | number): number {
  return Math.min(readNumber(name, number), LARGEST);
}

/** How a page stands among the others. */
export function pageInfo(count: number, { page, items }: Page) {
  return { count, pages: Math.ceil(count / items), page, items };
}

function readCount(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1 || Number(text) > most) {
    throw invalidField(name, `takes a number from 1 to ${most}`);
  }
  return Number(text);
}
