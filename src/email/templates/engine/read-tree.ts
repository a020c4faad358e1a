import { afterText, afterValue, type HtmlState, joined, placeIn } from './html-places.ts';
import {
  isBlock,
  isLiteral,
  isMustache,
  isPath,
  isText,
  mistakeOf,
  type ParsedBlock,
  type ParsedLiteral,
  type ParsedMustache,
  type ParsedNode,
  type ParsedPath,
  placeOfNode,
} from './parser-nodes.ts';
import { inner, resolve, type Scope } from './scope.ts';
import type { Condition, Node, Place, Reference } from './tree.ts';

const RESERVED = new Set(['if', 'unless', 'each', 'with', 'lookup', 'log', 'helperMissing', 'blockHelperMissing']);
const UNSUPPORTED: Record<string, string> = {
  PartialStatement: 'partials are not supported',
  PartialBlockStatement: 'partials are not supported',
  Decorator: 'decorators are not supported',
  DecoratorBlock: 'decorators and inline partials are not supported',
};
const DIFFERENT_ENDS = 'branches must end in the same place of the HTML';

interface Reading {
  nodes: Node[];
  html: HtmlState | null;
}

interface Rules {
  rawHtml: boolean;
  /** The place of every value outside HTML. */
  bare: 'header' | 'plain';
}

/**
 * Takes from the parser's tree what we support and refuses the rest. `html` is where in the HTML the statements
 * begin, or null outside HTML.
 */
export function readStatements(
  statements: readonly ParsedNode[],
  scope: Scope,
  html: HtmlState | null,
  rules: Rules,
): Reading {
  const nodes: Node[] = [];
  let state = html;
  for (const statement of statements) {
    if (isText(statement)) {
      if (state !== null) {
        state = afterText(state, statement.value);
        if (state.fault !== null) throw mistakeOf(statement, state.fault);
      }
      const leadsOut = state?.leadsOut ?? false;
      if (statement.value !== '') nodes.push({ kind: 'text', text: statement.value, leadsOut });
    } else if (isMustache(statement)) {
      const place = placeOf(state, rules);
      if (typeof place === 'string') throw mistakeOf(statement, place);
      const raw = rules.rawHtml && !statement.escaped;
      nodes.push({ kind: 'value', ...readValue(statement, scope), raw, place, begins: placeOfNode(statement) });
      if (state !== null) state = afterValue(state);
    } else if (isBlock(statement)) {
      const block = readBlock(statement, scope, state, rules);
      nodes.push(block.node);
      state = block.html;
    } else if (statement.type !== 'CommentStatement') {
      throw mistakeOf(statement, UNSUPPORTED[statement.type] ?? 'this is not supported');
    }
  }
  return { nodes, html: state };
}

function readValue(mustache: ParsedMustache, scope: Scope): { of: Reference; fallback: string | null } {
  const fallback = readDefault(mustache);
  if (mustache.params.length > 0 || fallback === undefined) throw mistakeOf(mustache, 'helpers are not supported');
  const path = expectPath(mustache.path);
  if (!path.data && path.depth === 0 && path.parts.length === 1 && RESERVED.has(path.original)) {
    throw mistakeOf(mustache, 'this name is reserved');
  }
  return { of: resolve(path, scope), fallback };
}

/** What `default=` gives; null without it, undefined where something else is named. */
function readDefault({ hash }: ParsedMustache): string | null | undefined {
  if (hash === undefined) return null;
  const [pair, ...more] = hash.pairs;
  if (pair?.key !== 'default' || more.length > 0) return undefined;
  if (pair.value.type !== 'StringLiteral' && pair.value.type !== 'NumberLiteral') {
    throw mistakeOf(pair.value, 'a default is a text in quotes or a number');
  }
  return String((pair.value as ParsedLiteral).value);
}

function readBlock(block: ParsedBlock, scope: Scope, html: HtmlState | null, rules: Rules) {
  const helper = blockName(block);
  const { program } = block;
  if (helper === null) throw mistakeOf(block, 'only the blocks if, unless, each and with are supported');
  if (program === undefined) throw mistakeOf(block, 'inverted blocks are not supported');
  const argument = block.params[0];
  if (argument === undefined || block.params.length > 1) throw mistakeOf(block, 'a block takes exactly one argument');
  if (block.hash !== undefined) throw mistakeOf(block, 'named arguments are not supported');
  const params = program.blockParams ?? [];
  const here = placeOf(html, rules);
  const placed = { begins: placeOfNode(block), place: typeof here === 'string' ? null : here };
  const otherwise = () => readStatements(block.inverse?.body ?? [], scope, html, rules);
  if (helper === 'if' || helper === 'unless') {
    if (params.length > 0) throw mistakeOf(block, 'only #each and #with name their values');
    const condition = readCondition(argument, scope);
    const yes = readStatements(program.body, scope, html, rules);
    const no = otherwise();
    const branches = { body: yes.nodes, otherwise: no.nodes };
    const node: Node = { kind: 'if', condition, negated: helper === 'unless', ...branches, ...placed };
    return { node, html: join(block, yes.html, no.html) };
  }
  if (params.length > (helper === 'each' ? 2 : 1)) throw mistakeOf(block, 'this block names too many values');
  const of = resolve(expectPath(argument), scope);
  const body = readStatements(program.body, inner(scope, helper, of, params), html, rules);
  if (helper === 'each' && !isSame(body.html, html)) throw mistakeOf(block, DIFFERENT_ENDS);
  const no = otherwise();
  const node: Node = { kind: helper, of, params, body: body.nodes, otherwise: no.nodes, ...placed };
  return { node, html: join(block, body.html, no.html) };
}

function blockName({ path }: ParsedBlock): 'if' | 'unless' | 'each' | 'with' | null {
  if (!isPath(path) || path.data || path.depth > 0) return null;
  const name = path.original;
  return name === 'if' || name === 'unless' || name === 'each' || name === 'with' ? name : null;
}

function readCondition(expression: ParsedNode, scope: Scope): Condition {
  if (isLiteral(expression)) return { from: 'literal', value: expression.value };
  return resolve(expectPath(expression), scope);
}

function expectPath(expression: ParsedNode): ParsedPath {
  if (isPath(expression)) return expression;
  if (isLiteral(expression)) throw mistakeOf(expression, 'a literal cannot stand here');
  throw mistakeOf(expression, 'subexpressions and named arguments are not supported');
}

/** Where a value would stand, or the rule that forbids one there. */
function placeOf(html: HtmlState | null, { bare }: Rules): Place | string {
  return html === null ? { at: bare } : placeIn(html);
}

function join(block: ParsedBlock, one: HtmlState | null, other: HtmlState | null): HtmlState | null {
  if (one === null || other === null) return null;
  const both = joined(one, other);
  if (both === null) throw mistakeOf(block, DIFFERENT_ENDS);
  return both;
}

function isSame(one: HtmlState | null, other: HtmlState | null): boolean {
  return one === null || other === null || joined(one, other)?.standing.url.part === other.standing.url.part;
}
