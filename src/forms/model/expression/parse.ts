import {
  type Arithmetic,
  type Comparison,
  DEEPEST_NESTING,
  type Expression,
  FUNCTIONS,
  type FunctionName,
  MOST_NODES,
} from './syntax.ts';
import { ExpressionMistake, type Token, tokensOf } from './tokens.ts';

export { ExpressionMistake } from './tokens.ts';

const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'contains']);
const SUMS = new Set(['+', '-']);
const PRODUCTS = new Set(['*', '/']);

/** Reads an expression, or throws an ExpressionMistake that says which rule it breaks and where. */
export function parseExpression(source: string): Expression {
  return new Parser(tokensOf(source)).parse();
}

/** From loosest to tightest: or, and, not, comparison, sum, product, sign, value. */
class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #nodes = 0;
  #depth = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#either();
    if (this.#next.kind !== 'end') throw this.#mistake('the expression should end here');
    return expression;
  }

  #either(): Expression {
    let left = this.#both();
    while (this.#take('or')) left = this.#node({ kind: 'or', left, right: this.#both() });
    return left;
  }

  #both(): Expression {
    let left = this.#negated();
    while (this.#take('and')) left = this.#node({ kind: 'and', left, right: this.#negated() });
    return left;
  }

  #negated(): Expression {
    if (!this.#take('not')) return this.#compared();
    return this.#deeper(() => {
      if (this.#take('in')) throw this.#mistake('write not (x in [...])');
      return this.#node({ kind: 'not', of: this.#negated() });
    });
  }

  #compared(): Expression {
    const left = this.#sum();
    if (this.#take('in')) {
      this.#demand('[', 'a list in square brackets should stand behind in');
      return this.#node({ kind: 'in', of: left, list: this.#listUntil(']') });
    }
    const sign = this.#signIn(COMPARISONS);
    if (sign === null) return left;
    const compared = this.#node({ kind: 'compare', sign: sign as Comparison, left, right: this.#sum() });
    if (this.#signIn(COMPARISONS) !== null) throw this.#mistake('comparisons are joined with and, or');
    return compared;
  }

  #sum(): Expression {
    let left = this.#product();
    for (let sign = this.#signIn(SUMS); sign !== null; sign = this.#signIn(SUMS)) {
      left = this.#node({ kind: 'reckon', sign: sign as Arithmetic, left, right: this.#product() });
    }
    return left;
  }

  #product(): Expression {
    let left = this.#signed();
    for (let sign = this.#signIn(PRODUCTS); sign !== null; sign = this.#signIn(PRODUCTS)) {
      left = this.#node({ kind: 'reckon', sign: sign as Arithmetic, left, right: this.#signed() });
    }
    return left;
  }

  #signed(): Expression {
    if (!this.#take('-')) return this.#value();
    const of = this.#deeper(() => this.#signed());
    if (of.kind === 'literal' && typeof of.value === 'number') return { kind: 'literal', value: 0 - of.value };
    return this.#node({ kind: 'negate', of });
  }

  #value(): Expression {
    const token = this.#next;
    this.#at += token.kind === 'end' ? 0 : 1;
    if (token.kind === 'literal') return this.#node({ kind: 'literal', value: token.value });
    if (token.kind === 'name') {
      if (!token.braced && this.#take('(')) return this.#call(token);
      return this.#node({ kind: 'answer', name: token.text });
    }
    if (token.kind === 'sign' && token.text === '(') {
      return this.#deeper(() => {
        const inner = this.#either();
        this.#demand(')', 'a parenthesis is not closed');
        return inner;
      });
    }
    throw new ExpressionMistake(token.at, 'a question, a value or a function should stand here');
  }

  #call({ text, at }: Token & { kind: 'name' }): Expression {
    if (!Object.hasOwn(FUNCTIONS, text)) throw new ExpressionMistake(at, 'there is no such function');
    const name = text as FunctionName;
    const args = this.#listUntil(')');
    const [least, most] = FUNCTIONS[name];
    if (args.length < least || args.length > most) {
      throw new ExpressionMistake(at, `this function takes ${least === most ? least : `${least} to ${most}`} values`);
    }
    if (name === 'score' && args[0]?.kind !== 'answer') throw new ExpressionMistake(at, 'score takes a question');
    return this.#node({ kind: 'call', name, args });
  }

  #listUntil(close: string): Expression[] {
    const list: Expression[] = [];
    if (this.#take(close)) return list;
    do list.push(this.#deeper(() => this.#either()));
    while (this.#take(','));
    this.#demand(close, 'a list is not closed');
    return list;
  }

  #deeper(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > DEEPEST_NESTING) throw this.#mistake(`at most ${DEEPEST_NESTING} levels may be nested`);
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  #node(node: Expression): Expression {
    this.#nodes += 1;
    if (this.#nodes > MOST_NODES) throw this.#mistake(`an expression may have at most ${MOST_NODES} parts`);
    return node;
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #take(sign: string): boolean {
    const token = this.#next;
    if (token.kind !== 'sign' || token.text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #signIn(signs: ReadonlySet<string>): string | null {
    const token = this.#next;
    if (token.kind !== 'sign' || !signs.has(token.text)) return null;
    this.#at += 1;
    return token.text;
  }

  #demand(sign: string, rule: string): void {
    if (!this.#take(sign)) throw this.#mistake(rule);
  }

  #mistake(rule: string): ExpressionMistake {
    return new ExpressionMistake(this.#next.at, rule);
  }
}
