import { invalidField } from '../../../platform/errors.ts';

/** A piece of a rule: a word, a text in quotes, or one of `(`, `)` and `,`. */
export interface Token {
  kind: 'word' | 'text' | 'mark' | 'end';
  value: string;
  /** Where it begins, from 0. */
  at: number;
}

const PIECE = /\s+|([(),])|"((?:[^"\\]|\\.)*)"|([^\s(),"]+)/suy;

/** The pieces of a rule, and its end. */
export function tokensOf(rule: string): Token[] {
  const tokens: Token[] = [];
  PIECE.lastIndex = 0;
  for (let at = 0; at < rule.length; at = PIECE.lastIndex) {
    const found = PIECE.exec(rule);
    if (found === null) throw mistakeAt(at, 'a quote is not closed');
    const [, mark, text, word] = found;
    if (mark !== undefined) tokens.push({ kind: 'mark', value: mark, at });
    if (text !== undefined) tokens.push({ kind: 'text', value: text.replace(/\\(.)/gsu, '$1'), at });
    if (word !== undefined) tokens.push({ kind: 'word', value: word, at });
  }
  return [...tokens, { kind: 'end', value: '', at: rule.length }];
}

/** The refusal of a rule, naming where it goes wrong. */
export function mistakeAt(at: number, rule: string) {
  return invalidField('rule', `at character ${at + 1}: ${rule}`);
}
