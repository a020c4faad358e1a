/** How long the text of an expression may be, in UTF-16 code units. */
export const LONGEST_EXPRESSION = 2_000;

/** How many nodes an expression may have. */
export const MOST_NODES = 500;

/** How deep parentheses, calls and signs may be nested. */
export const DEEPEST_NESTING = 32;

export type Literal = string | number | boolean | null;

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'contains';

export type Arithmetic = '+' | '-' | '*' | '/';

/** The functions there are, each with the fewest and the most arguments it takes. */
export const FUNCTIONS = {
  empty: [1, 1],
  count: [1, 1],
  sum: [1, 100],
  min: [1, 100],
  max: [1, 100],
  score: [1, 1],
  round: [1, 2],
  age: [1, 1],
} as const satisfies Record<string, readonly [least: number, most: number]>;

export type FunctionName = keyof typeof FUNCTIONS;

/** A condition or a formula of a form as a plain tree, which can be stored and sent as JSON. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'answer'; readonly name: string }
  | { readonly kind: 'not' | 'negate'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'compare'; readonly sign: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'reckon'; readonly sign: Arithmetic; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly of: Expression; readonly list: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] };

/** The parts of a node, in the order in which they are written. */
function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'literal':
    case 'answer':
      return [];
    case 'not':
    case 'negate':
      return [node.of];
    case 'in':
      return [node.of, ...node.list];
    case 'call':
      return node.args;
    case 'and':
    case 'or':
    case 'compare':
    case 'reckon':
      return [node.left, node.right];
    default:
      return node satisfies never;
  }
}

/** How much longer a part takes that goes through the whole of an answer. */
const STEPS_THROUGH_AN_ANSWER = 100;

/** How many steps it takes at most to work out an expression, whatever the answers are. */
export function stepsOf(expression: Expression): number {
  let steps = 0;
  const left = [expression];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    steps += 1 + STEPS_THROUGH_AN_ANSWER * answersGoneThrough(node);
    left.push(...partsOf(node));
  }
  return steps;
}

function answersGoneThrough(node: Expression): number {
  if (node.kind === 'compare') return node.sign === 'contains' ? 1 : 0;
  if (node.kind !== 'call') return 0;
  return ['sum', 'min', 'max', 'score'].includes(node.name) ? node.args.length : 0;
}

/** The names of all questions that an expression speaks of. */
export function namesIn(expression: Expression): Set<string> {
  const names = new Set<string>();
  const left = [expression];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === 'answer') names.add(node.name);
    left.push(...partsOf(node));
  }
  return names;
}

/** The same expression with other names for the questions it speaks of. */
export function renameIn(node: Expression, rename: (name: string) => string): Expression {
  switch (node.kind) {
    case 'literal':
      return node;
    case 'answer':
      return { ...node, name: rename(node.name) };
    case 'not':
    case 'negate':
      return { ...node, of: renameIn(node.of, rename) };
    case 'in':
      return { ...node, of: renameIn(node.of, rename), list: node.list.map((item) => renameIn(item, rename)) };
    case 'call':
      return { ...node, args: node.args.map((arg) => renameIn(arg, rename)) };
    case 'and':
    case 'or':
    case 'compare':
    case 'reckon':
      return { ...node, left: renameIn(node.left, rename), right: renameIn(node.right, rename) };
    default:
      return node satisfies never;
  }
}
