import { words } from '../../words/reports.ts';

/** A count, or that it is hidden for being small. */
export function CountOrHidden({ count }: { count: number | null }) {
  return count === null ? <span className="text-soft italic">{words.hidden}</span> : count.toLocaleString('en');
}
