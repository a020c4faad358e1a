import { type Position, positionsOf } from './mistake.ts';
import type { Span } from './scan.ts';

/** A source in which list indexes are written as the parser wants them, and where the brackets were put. */
export interface Bracketed {
  source: string;
  /** Their places in the new source. */
  brackets: Position[];
}

// What is skipped comes first: strings, segments in brackets, and numbers that are no segment.
const INDEX = /"[^"]*"|'[^']*'|\[[^\]]*\]|(?<![\w./-])-?\d+(?:\.\d+)?(?=[~}\s])|(?<=[./])(\d+)(?=[~}\s/])/g;
const NO_PATH = /^\{\{~?[/!]/;

/** Writes `items.0` as `items.[0]`: at the end of a path, the parser takes a bare index for a number. */
export function bracketIndexes(source: string, mustaches: readonly Span[]): Bracketed {
  const brackets: number[] = [];
  let written = '';
  let done = 0;
  for (const { from, to } of mustaches) {
    const mustache = source.slice(from, to);
    if (NO_PATH.test(mustache)) continue;
    for (const match of mustache.matchAll(INDEX)) {
      const index = match[1];
      if (index === undefined) continue;
      const at = from + match.index;
      written += `${source.slice(done, at)}[${index}]`;
      done = at + index.length;
      brackets.push(written.length - index.length - 2, written.length - 1);
    }
  }
  const bracketed = written + source.slice(done);
  return { source: bracketed, brackets: positionsOf(bracketed, brackets) };
}

/** Where something stood before the brackets were put in. */
export function placeBefore(brackets: readonly Position[], { line, column }: Position): Position {
  return { line, column: column - brackets.filter((each) => each.line === line && each.column < column).length };
}
