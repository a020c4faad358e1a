import * as fc from 'fast-check';
import type { Comparison, Expression, FunctionName } from './syntax.ts';

const anyName = fc.oneof(fc.constantFrom('a', 'b', 'and', '__proto__', 'constructor'), fc.string({ minLength: 1 }));
const anyLiteral = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((n) => Math.round(n * 100) / 100 || 0),
  fc.string(),
  fc.constantFrom(true, false, null),
);
const PLAIN = { noNullPrototype: true } as const;
const SIGNS = ['==', '!=', '<', '<=', '>', '>=', 'contains'] as const satisfies Comparison[];
const FUNCTIONS = ['empty', 'count', 'sum', 'min', 'max', 'round', 'age'] as const satisfies FunctionName[];

/** Trees as the parser makes them, of a few levels. */
export const anyExpression = fc.letrec<{ tree: Expression }>((tie) => {
  const [tree, leaf] = [tie('tree'), anyName.map((name): Expression => ({ kind: 'answer', name }))];
  return {
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 5, withCrossShrink: true },
      leaf,
      anyLiteral.map((value): Expression => ({ kind: 'literal', value })),
      tree.map((of): Expression => ({ kind: 'not', of })),
      leaf.map((of): Expression => ({ kind: 'negate', of })),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tree, right: tree }, PLAIN),
      fc.record(
        { kind: fc.constant('compare' as const), sign: fc.constantFrom(...SIGNS), left: tree, right: tree },
        PLAIN,
      ),
      fc.record(
        {
          kind: fc.constant('reckon' as const),
          sign: fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const),
          left: tree,
          right: tree,
        },
        PLAIN,
      ),
      fc.record({ kind: fc.constant('in' as const), of: tree, list: fc.array(tree, { maxLength: 3 }) }, PLAIN),
      fc
        .tuple(fc.constantFrom(...FUNCTIONS), tree)
        .map(([name, arg]): Expression => ({ kind: 'call', name, args: [arg] })),
      leaf.map((arg): Expression => ({ kind: 'call', name: 'score', args: [arg] })),
    ),
  };
}).tree;

/** An expression as text, with parentheses around everything that has parts. */
export function written(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? quoted(node.value) : plain(node.value);
    case 'answer':
      return `{${node.name.replaceAll('}', '}}')}}`;
    case 'not':
      return `(not ${written(node.of)})`;
    case 'negate':
      return `(-${written(node.of)})`;
    case 'in':
      return `(${written(node.of)} in [${node.list.map(written).join(', ')}])`;
    case 'call':
      return `${node.name}(${node.args.map(written).join(', ')})`;
    case 'and':
    case 'or':
      return `(${written(node.left)} ${node.kind} ${written(node.right)})`;
    case 'compare':
    case 'reckon':
      return `(${written(node.left)} ${node.sign} ${written(node.right)})`;
    default:
      return node satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** Negative numbers stand in parentheses, as a sign before one belongs to it. */
function plain(value: number | boolean | null): string {
  return typeof value === 'number' && value < 0 ? `(${value})` : String(value);
}
