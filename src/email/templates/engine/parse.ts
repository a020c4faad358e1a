import { parse } from '@handlebars/parser';
import { HTML_BEGINS } from './html-places.ts';
import { bracketIndexes, placeBefore } from './index-segments.ts';
import { type Position, TemplateMistake } from './mistake.ts';
import type { ParsedNode, ParsedProgram } from './parser-nodes.ts';
import { readStatements } from './read-tree.ts';
import { findMustaches } from './scan.ts';
import { ROOT_SCOPE } from './scope.ts';
import type { Node } from './tree.ts';

export { TemplateMistake } from './mistake.ts';

/**
 * A body, whose values are escaped for where they stand in the HTML, a body of plain text, or a subject line, which
 * stays one line.
 */
export type TemplateKind = 'html' | 'text' | 'header';

/** A template that was parsed and checked. Nothing of it is ever parsed again. */
export interface Template {
  readonly kind: TemplateKind;
  readonly nodes: readonly Node[];
  /** What `placeInSource` needs. */
  readonly brackets: readonly Position[];
}

/** Parses a template, or throws a TemplateMistake that says which rule it breaks and where. */
export function parseTemplate(source: string, kind: TemplateKind, options: { rawHtml?: boolean } = {}): Template {
  const { source: bracketed, brackets } = bracketIndexes(source, findMustaches(source));
  try {
    const begin = kind === 'html' ? HTML_BEGINS : null;
    const rules = {
      rawHtml: options.rawHtml ?? false,
      bare: kind === 'text' ? ('plain' as const) : ('header' as const),
    };
    const { nodes } = readStatements(statementsOf(bracketed), ROOT_SCOPE, begin, rules);
    return { kind, nodes, brackets };
  } catch (error) {
    throw error instanceof TemplateMistake ? new TemplateMistake(placeBefore(brackets, error), error.rule) : error;
  }
}

/** Where in its source a mustache of the template begins. */
export function placeInSource({ brackets }: Template, { begins }: Exclude<Node, { kind: 'text' }>): Position {
  return placeBefore(brackets, begins);
}

function statementsOf(source: string): ParsedNode[] {
  try {
    return (parse(source) as ParsedProgram).body;
  } catch (error) {
    throw new TemplateMistake(placeOfError(error), 'this is not valid Handlebars');
  }
}

/** The parser throws three shapes; its messages quote the source, so only the place is taken from them. */
function placeOfError(error: unknown): Position {
  const { lineNumber, column, hash } = error as {
    lineNumber?: number;
    column?: number;
    hash?: { line?: number; loc?: { last_line: number; last_column: number } };
  };
  if (lineNumber !== undefined) return { line: lineNumber, column: (column ?? 0) + 1 };
  if (hash?.loc !== undefined) return { line: hash.loc.last_line, column: hash.loc.last_column + 1 };
  return { line: (hash?.line ?? 0) + 1, column: 1 };
}
