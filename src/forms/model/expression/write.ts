import type { Expression } from './syntax.ts';

const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const RESERVED = new Set(['and', 'or', 'not', 'in', 'contains', 'true', 'false', 'null']);

/** How tightly a node holds together, from or to a single value, as the parser reads it. */
const LOOSE = { or: 1, and: 2, not: 3, compare: 4, in: 4, '+': 5, '-': 5, '*': 6, '/': 6, negate: 7, value: 8 };

/** An expression as text, from which the parser makes the same tree again. */
export function writeExpression(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? quoted(node.value) : plain(node.value);
    case 'answer':
      return writeName(node.name);
    case 'not':
      return `not ${node.of.kind === 'not' ? writeExpression(node.of) : held(node.of, LOOSE.value)}`;
    case 'negate':
      return `-${held(node.of, LOOSE.negate)}`;
    case 'in':
      return `${held(node.of, LOOSE['+'])} in [${node.list.map(writeExpression).join(', ')}]`;
    case 'call':
      return `${node.name}(${node.args.map(writeExpression).join(', ')})`;
    case 'compare':
      return `${held(node.left, LOOSE['+'])} ${node.sign} ${held(node.right, LOOSE['+'])}`;
    case 'and':
    case 'or':
      return chain(node, node.kind, LOOSE[node.kind]);
    case 'reckon':
      return chain(node, node.sign, LOOSE[node.sign]);
    default:
      return node satisfies never;
  }
}

/** The name of a question as an expression speaks of it. */
export function writeName(name: string): string {
  return WORD.test(name) && !RESERVED.has(name) ? name : `{${name.replaceAll('}', '}}')}}`;
}

/** What the parser joins from the left needs parentheses on the right only. */
function chain({ left, right }: { left: Expression; right: Expression }, sign: string, tight: number): string {
  return `${held(left, tight)} ${sign} ${held(right, tight + 1)}`;
}

function held(node: Expression, least: number): string {
  const text = writeExpression(node);
  return tightnessOf(node) < least ? `(${text})` : text;
}

function tightnessOf(node: Expression): number {
  if (node.kind === 'reckon') return LOOSE[node.sign];
  if (node.kind === 'literal' && typeof node.value === 'number' && node.value < 0) return LOOSE.negate;
  return node.kind === 'literal' || node.kind === 'answer' || node.kind === 'call' ? LOOSE.value : LOOSE[node.kind];
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Numbers have no exponents in expressions. */
function plain(value: number | boolean | null): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  return exponent === '' ? String(value) : sign + shifted(whole + fraction, whole.length + Number(exponent));
}

/** Digits with a point before the one at a place. */
function shifted(digits: string, point: number): string {
  if (point >= digits.length) return digits.padEnd(point, '0');
  return point > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : `0.${'0'.repeat(-point)}${digits}`;
}
