import { type Literal, LONGEST_EXPRESSION } from './syntax.ts';

/** What is wrong with an expression, and where, counted from 1. It names the rule and never repeats the source. */
export class ExpressionMistake extends Error {
  readonly position: number;
  readonly rule: string;

  constructor(offset: number, rule: string) {
    super(`character ${offset + 1}: ${rule}`);
    this.name = 'ExpressionMistake';
    this.position = offset + 1;
    this.rule = rule;
  }
}

export type Token = { at: number } & (
  | { kind: 'literal'; value: Literal }
  | { kind: 'name'; text: string; braced: boolean }
  | { kind: 'sign'; text: string }
  | { kind: 'end' }
);

/** A number, a word, a text, a name in braces or a sign; groups with names would take twice as long. */
const PIECE =
  /\s*(?:(\d+(?:\.\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\{(?:[^}]|\}\})*\})|([=!<>]=|&&|\|\||[=<>!()[\],+\-*/]))/suy;

const WORD_SIGNS = new Map([
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
  ['in', 'in'],
  ['contains', 'contains'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['=', '=='],
]);

const WORD_LITERALS = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Cuts an expression into tokens, of which the last is its end, or throws an ExpressionMistake. */
export function tokensOf(source: string): Token[] {
  if (source.length > LONGEST_EXPRESSION) {
    throw new ExpressionMistake(LONGEST_EXPRESSION, `an expression may have at most ${LONGEST_EXPRESSION} characters`);
  }
  const tokens: Token[] = [];
  const end = source.trimEnd().length;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < end) {
    const from = PIECE.lastIndex;
    const piece = PIECE.exec(source);
    if (piece === null) throw new ExpressionMistake(startOf(source, from), ruleBroken(source, from));
    tokens.push(tokenOf(piece, PIECE.lastIndex - piece[0].trimStart().length));
  }
  tokens.push({ kind: 'end', at: end });
  return tokens;
}

function tokenOf([, number, word, text, braced, sign = '']: RegExpExecArray, at: number): Token {
  if (number !== undefined) return { kind: 'literal', value: Number(number), at };
  if (text !== undefined) return { kind: 'literal', value: text.slice(1, -1).replaceAll(/\\(.)/gsu, '$1'), at };
  if (braced !== undefined) return { kind: 'name', text: bracedName(braced, at), braced: true, at };
  const known = WORD_SIGNS.get(word ?? sign);
  if (known !== undefined) return { kind: 'sign', text: known, at };
  if (word === undefined) return { kind: 'sign', text: sign, at };
  const literal = WORD_LITERALS.get(word);
  return literal === undefined
    ? { kind: 'name', text: word, braced: false, at }
    : { kind: 'literal', value: literal, at };
}

function bracedName(braced: string, at: number): string {
  const name = braced.slice(1, -1).replaceAll('}}', '}');
  if (name === '') throw new ExpressionMistake(at, 'a name is missing between the braces');
  return name;
}

function startOf(source: string, from: number): number {
  return from + (source.slice(from).length - source.slice(from).trimStart().length);
}

function ruleBroken(source: string, from: number): string {
  const next = source[startOf(source, from)];
  if (next === '"' || next === "'") return 'a text is not closed';
  if (next === '{') return 'a brace is not closed';
  return 'this character has no meaning here';
}
