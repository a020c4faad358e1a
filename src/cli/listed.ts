import type { Output } from './command.ts';

/** What a command that lists prints: the rows under `data` with names in snake_case as in the API, or a line for each, or that there are none. */
export function listed<Row extends object>(rows: Row[], wordsOf: (row: Row) => string, between = '\n'): Output {
  return { json: { data: rows.map(inSnakeCase) }, text: rows.map(wordsOf).join(between) || 'None' };
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(part),
    ]),
  );
}
