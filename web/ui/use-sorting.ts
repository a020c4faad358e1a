import { useRemembered } from '../session/use-remembered.ts';
import type { Sorting } from './table.tsx';

/** The order of a table, which is there again for whoever comes back to its place. */
export function useSorting(place: string, first: Pick<Sorting, 'by' | 'order'>): Sorting {
  const [{ by, order }, setSorting] = useRemembered(place, 'sorting', first);
  return { by, order, change: (nextBy, nextOrder) => setSorting({ by: nextBy, order: nextOrder }) };
}
