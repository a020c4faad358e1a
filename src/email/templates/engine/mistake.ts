export interface Position {
  line: number;
  column: number;
}

/** What is wrong with a template, and where, counted from 1. It names the rule and never repeats the source. */
export class TemplateMistake extends Error {
  readonly line: number;
  readonly column: number;
  readonly rule: string;

  constructor({ line, column }: Position, rule: string) {
    super(`line ${line}, column ${column}: ${rule}`);
    this.name = 'TemplateMistake';
    this.line = line;
    this.column = column;
    this.rule = rule;
  }
}

const LINE_BREAK = /\r\n?|\n/g;

/** Where an offset stands in the source, as people count. */
export function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset).split(LINE_BREAK);
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

/** The offset of a position in the source. */
export function offsetOf(source: string, { line, column }: Position): number {
  const last = line < 2 ? undefined : [...source.matchAll(LINE_BREAK)][line - 2];
  return (last === undefined ? 0 : last.index + last[0].length) + column - 1;
}

/** Where rising offsets stand in the source. */
export function positionsOf(source: string, offsets: readonly number[]): Position[] {
  if (offsets.length === 0) return [];
  const starts = [0, ...source.matchAll(LINE_BREAK).map((found) => found.index + found[0].length)];
  let line = 1;
  return offsets.map((offset) => {
    while (starts[line] !== undefined && (starts[line] as number) <= offset) line += 1;
    return { line, column: offset - (starts[line - 1] as number) + 1 };
  });
}
