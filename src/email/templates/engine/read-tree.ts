import { afterText, afterValue, type HtmlState, joined, placeIn } from './html-places.ts';
import {
  isBlock,
  isLiteral,
  isMustache,
  isPath,
  isText,
  mistakeOf,
  type ParsedBlock,
  type ParsedMustache,
  type ParsedNode,
  type ParsedPath,
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

/**
 * Takes from the parser's tree what we support and refuses the rest. `html` is where in the HTML the statements
 * begin, or null for a header.
 */
export function readStatements(
  statements: readonly ParsedNode[],
  scope: Scope,
  html: HtmlState | null,
  rawHtml: boolean,
): Reading {
  const nodes: Node[] = [];
  let state = html;
  for (const statement of statements) {
    if (isText(statement)) {
      if (state !== null) {
        state = afterText(state, statement.value);
        if (state.fault !== null) throw mistakeOf(statement, state.fault);
      }
      if (statement.value !== '') nodes.push({ kind: 'text', text: statement.value });
    } else if (isMustache(statement)) {
      const place = state === null ? ({ at: 'header' } as const) : placeOf(statement, state);
      nodes.push({ kind: 'value', of: readValue(statement, scope), raw: rawHtml && !statement.escaped, place });
      if (state !== null) state = afterValue(state);
    } else if (isBlock(statement)) {
      const block = readBlock(statement, scope, state, rawHtml);
      nodes.push(block.node);
      state = block.html;
    } else if (statement.type !== 'CommentStatement') {
      throw mistakeOf(statement, UNSUPPORTED[statement.type] ?? 'this is not supported');
    }
  }
  return { nodes, html: state };
}

function readValue(mustache: ParsedMustache, scope: Scope): Reference {
  if (mustache.params.length > 0 || mustache.hash !== undefined) throw mistakeOf(mustache, 'helpers are not supported');
  const path = expectPath(mustache.path);
  if (!path.data && path.depth === 0 && path.parts.length === 1 && RESERVED.has(path.original)) {
    throw mistakeOf(mustache, 'this name is reserved');
  }
  return resolve(path, scope);
}

function readBlock(block: ParsedBlock, scope: Scope, html: HtmlState | null, rawHtml: boolean) {
  const helper = blockName(block);
  const { program } = block;
  if (helper === null) throw mistakeOf(block, 'only the blocks if, unless, each and with are supported');
  if (program === undefined) throw mistakeOf(block, 'inverted blocks are not supported');
  const argument = block.params[0];
  if (argument === undefined || block.params.length > 1) throw mistakeOf(block, 'a block takes exactly one argument');
  if (block.hash !== undefined) throw mistakeOf(block, 'named arguments are not supported');
  const params = program.blockParams ?? [];
  const otherwise = () => readStatements(block.inverse?.body ?? [], scope, html, rawHtml);
  if (helper === 'if' || helper === 'unless') {
    if (params.length > 0) throw mistakeOf(block, 'only #each and #with name their values');
    const condition = readCondition(argument, scope);
    const yes = readStatements(program.body, scope, html, rawHtml);
    const no = otherwise();
    const branches = { body: yes.nodes, otherwise: no.nodes };
    const node: Node = { kind: 'if', condition, negated: helper === 'unless', ...branches };
    return { node, html: join(block, yes.html, no.html) };
  }
  if (params.length > (helper === 'each' ? 2 : 1)) throw mistakeOf(block, 'this block names too many values');
  const of = resolve(expectPath(argument), scope);
  const body = readStatements(program.body, inner(scope, helper, of, params), html, rawHtml);
  if (helper === 'each' && !isSame(body.html, html)) throw mistakeOf(block, DIFFERENT_ENDS);
  const no = otherwise();
  const node: Node = { kind: helper, of, params, body: body.nodes, otherwise: no.nodes };
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

function placeOf(mustache: ParsedMustache, html: HtmlState): Place {
  const place = placeIn(html);
  if (typeof place === 'string') throw mistakeOf(mustache, place);
  return place;
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
