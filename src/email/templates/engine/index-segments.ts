import { offsetOf, type Position } from './mistake.ts';
import type { Span } from './scan.ts';

/** A source in which list indexes are written as the parser wants them, and where the brackets were put. */
export interface Bracketed {
  source: string;
  /** Their offsets in the new source. */
  brackets: number[];
}

// What is skipped comes first: strings, segments in brackets, and numbers that are no segment.
const INDEX = /"[^"]*"|'[^']*'|\[[^\]]*\]|(?<![\w./-])-?\d+(?:\.\d+)?(?=[~}\s])|(?<=[./])(\d+)(?=[~}\s/])/g;
const CLOSING_TAG = /^\{\{~?\//;

/** Writes `items.0` as `items.[0]`: at the end of a path, the parser takes a bare index for a number. */
export function bracketIndexes(source: string, mustaches: readonly Span[]): Bracketed {
  const brackets: number[] = [];
  let written = '';
  let done = 0;
  for (const { from, to } of mustaches) {
    const mustache = source.slice(from, to);
    if (CLOSING_TAG.test(mustache)) continue;
    for (const match of mustache.matchAll(INDEX)) {
      const index = match[1];
      if (index === undefined) continue;
      const at = from + match.index;
      written += `${source.slice(done, at)}[${index}]`;
      done = at + index.length;
      brackets.push(written.length - index.length - 2, written.length - 1);
    }
  }
  return { source: written + source.slice(done), brackets };
}

/** Where something stood before the brackets were put in. */
export function placeBefore({ source, brackets }: Bracketed, { line, column }: Position): Position {
  const end = offsetOf(source, { line, column });
  const start = end - column + 1;
  return { line, column: column - brackets.filter((offset) => offset >= start && offset < end).length };
}
