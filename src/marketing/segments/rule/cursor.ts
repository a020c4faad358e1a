import { mistakeAt, type Token, tokensOf } from './tokens.ts';

/** A place in a rule that moves on as the rule is understood. */
export class Cursor {
  readonly #tokens: Token[];
  #at = 0;

  constructor(rule: string) {
    this.#tokens = tokensOf(rule);
  }

  get here(): Token {
    return this.#ahead(0);
  }

  /** Takes these words and marks if they come next, whatever their case. */
  take(...wanted: string[]): boolean {
    if (!wanted.every((value, ahead) => this.#is(value, ahead))) return false;
    this.#at += wanted.length;
    return true;
  }

  /** The same, and a mistake where something else comes. */
  expect(wanted: string): void {
    if (!this.take(wanted)) throw this.mistake(`expects ${wanted}`);
  }

  /** Takes the next word or text in quotes. */
  takeValue(what: string): Token {
    const token = this.here;
    const isValue = token.kind === 'text' || (token.kind === 'word' && !/^(and|or|not)$/i.test(token.value));
    if (!isValue) throw this.mistake(`expects ${what}`);
    this.#at += 1;
    return token;
  }

  mistake(rule: string) {
    return mistakeAt(this.here.at, rule);
  }

  #is(value: string, ahead: number): boolean {
    const token = this.#ahead(ahead);
    return (token.kind === 'word' || token.kind === 'mark') && token.value.toLowerCase() === value;
  }

  #ahead(ahead: number): Token {
    return (this.#tokens[this.#at + ahead] ?? this.#tokens.at(-1)) as Token;
  }
}
