import type { Facts } from './evaluate.ts';
import type { Expression } from './syntax.ts';
import { finite, isEmpty, numberIn, type Value } from './values.ts';

type Call = Extract<Expression, { kind: 'call' }>;

const MOST_DIGITS = 10;

/** What a function comes to, given a way to learn what its arguments come to. */
export function callFunction({ name, args }: Call, valueOf: (arg: Expression) => Value, facts: Facts): Value {
  const [first, second] = args;
  if (first === undefined) return undefined;
  switch (name) {
    case 'empty':
      return isEmpty(valueOf(first));
    case 'count':
      return countOf(valueOf(first));
    case 'score':
      return first.kind === 'answer' ? facts.score(first.name) : undefined;
    case 'round':
      return rounded(numberIn(valueOf(first)), second === undefined ? 0 : numberIn(valueOf(second)));
    case 'age':
      return ageOn(facts.today.utc, valueOf(first));
    case 'sum':
    case 'min':
    case 'max':
      return over(name, args.map(valueOf));
    default:
      return undefined;
  }
}

function countOf(value: Value): number {
  if (Array.isArray(value)) return value.length;
  return isEmpty(value) ? 0 : 1;
}

/** Unanswered questions are passed over; where none is answered there is no result. */
function over(name: keyof typeof JOINS, values: readonly Value[]): number | undefined {
  const join = JOINS[name];
  let result: number | undefined;
  for (const value of values) {
    for (const each of Array.isArray(value) ? value : [value]) {
      const number = numberIn(each);
      if (number !== undefined) result = result === undefined ? number : join(result, number);
    }
  }
  return result === undefined ? undefined : finite(result);
}

const JOINS = { sum: (a: number, b: number) => a + b, min: Math.min, max: Math.max };

/** From here on a number times a power has no digits left to round, and below it soon no room to mend any. */
const WHOLE_FROM = 2 ** 52;
const MENDED_BELOW = 2 ** 50;

/** Halves go away from zero, as people round; the factor mends 1.005, which is stored as a little less. */
function rounded(value: number | undefined, digits: number | undefined): number | undefined {
  if (value === undefined || digits === undefined) return undefined;
  const power = 10 ** Math.min(Math.max(Math.trunc(digits), 0), MOST_DIGITS);
  const scaled = Math.abs(value) * power;
  if (scaled >= WHOLE_FROM) return value;
  const whole = Math.round(scaled < MENDED_BELOW ? scaled * (1 + Number.EPSILON) : scaled);
  return finite((Math.sign(value) * whole) / power);
}

const DATE = /^(\d{4})-(\d\d-\d\d)$/;

function ageOn(today: string, born: Value): number | undefined {
  const now = DATE.exec(today);
  const then = typeof born === 'string' ? DATE.exec(born) : null;
  if (now === null || then === null) return undefined;
  const years = Number(now[1]) - Number(then[1]) - ((now[2] as string) < (then[2] as string) ? 1 : 0);
  return years < 0 ? undefined : years;
}
