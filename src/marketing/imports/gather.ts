import { type ImportRow, keyOf, merged } from './row.ts';

/** Each person of some rows once, and the rows about somebody again: those that said something new, and the others. */
export function gather(rows: readonly ImportRow[]): {
  people: ImportRow[];
  again: { updated: number; unchanged: number };
} {
  const people = new Map<string, ImportRow>();
  const again = { updated: 0, unchanged: 0 };
  for (const row of rows) {
    const key = keyOf(row);
    const first = people.get(key);
    const both = first === undefined ? { row, isNew: false } : merged(first, row);
    people.set(key, both.row);
    if (first !== undefined) again[both.isNew ? 'updated' : 'unchanged'] += 1;
  }
  return { people: [...people.values()], again };
}
