import { type Position, TemplateMistake } from './mistake.ts';

// The types of @handlebars/parser do not resolve under `nodenext`; these are the parts of its tree that we read.

/** A node of the parser's tree, of whichever type. */
export interface ParsedNode {
  type: string;
  loc: { start: Position };
}

export interface ParsedProgram extends ParsedNode {
  body: ParsedNode[];
  blockParams?: string[];
}

export interface ParsedText extends ParsedNode {
  value: string;
}

interface ParsedHash extends ParsedNode {
  pairs: { key: string; value: ParsedNode }[];
}

export interface ParsedMustache extends ParsedNode {
  path: ParsedNode;
  params: ParsedNode[];
  hash?: ParsedHash;
  escaped: boolean;
}

export interface ParsedBlock extends ParsedNode {
  path: ParsedNode;
  params: ParsedNode[];
  hash?: ParsedNode;
  /** Missing in `{{^x}}…{{/x}}`, which has only an inverse. */
  program?: ParsedProgram;
  inverse?: ParsedProgram;
}

export interface ParsedPath extends ParsedNode {
  data: boolean;
  depth: number;
  parts: (string | ParsedNode)[];
  original: string;
}

export interface ParsedLiteral extends ParsedNode {
  value: unknown;
}

const LITERALS = new Set(['StringLiteral', 'NumberLiteral', 'BooleanLiteral', 'NullLiteral', 'UndefinedLiteral']);

export function isText(node: ParsedNode): node is ParsedText {
  return node.type === 'ContentStatement';
}

export function isMustache(node: ParsedNode): node is ParsedMustache {
  return node.type === 'MustacheStatement';
}

export function isBlock(node: ParsedNode): node is ParsedBlock {
  return node.type === 'BlockStatement';
}

export function isPath(node: ParsedNode): node is ParsedPath {
  return node.type === 'PathExpression';
}

export function isLiteral(node: ParsedNode): node is ParsedLiteral {
  return LITERALS.has(node.type);
}

/** Where a node begins. The parser counts columns from 0. */
export function placeOfNode({ loc }: ParsedNode): Position {
  return { line: loc.start.line, column: loc.start.column + 1 };
}

/** The mistake of a node. */
export function mistakeOf(node: ParsedNode, rule: string): TemplateMistake {
  return new TemplateMistake(placeOfNode(node), rule);
}
