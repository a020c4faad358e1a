import { invalidField } from '../../../platform/errors.ts';
import { refuseUnstorable } from '../../../platform/http/body/json-body.ts';
import { type AskedCondition, LONGEST_WRITTEN, MOST_CONDITIONS, MOST_GROUPS } from '../filters/filters.ts';
import { Cursor } from './cursor.ts';
import { parseCondition } from './parse-condition.ts';

const DEEPEST = 20;

/** The conditions that a rule in words asks for, as groups of which one has to fit. `and` binds tighter than `or`. */
export function parseRule(rule: string): AskedCondition[][] {
  if (rule.length > LONGEST_WRITTEN) throw invalidField('rule', `takes at most ${LONGEST_WRITTEN} characters`);
  refuseUnstorable(rule);
  const cursor = new Cursor(rule);
  const groups = parseEither(cursor, 0);
  if (cursor.here.kind !== 'end') throw cursor.mistake('expects and, or, or the end');
  return groups;
}

function parseEither(cursor: Cursor, depth: number): AskedCondition[][] {
  const groups = parseAll(cursor, depth);
  while (cursor.take('or')) {
    groups.push(...parseAll(cursor, depth));
    requireFew(groups.length);
  }
  return groups;
}

function parseAll(cursor: Cursor, depth: number): AskedCondition[][] {
  let groups = parseOne(cursor, depth);
  while (cursor.take('and')) groups = inBoth(groups, parseOne(cursor, depth));
  return groups;
}

function parseOne(cursor: Cursor, depth: number): AskedCondition[][] {
  if (!cursor.take('(')) return [[parseCondition(cursor)]];
  if (depth === DEEPEST) throw cursor.mistake(`takes at most ${DEEPEST} parentheses within each other`);
  const groups = parseEither(cursor, depth + 1);
  cursor.expect(')');
  return groups;
}

/** Whoever fits one of these and one of those: every pair of them is a group. */
function inBoth(these: AskedCondition[][], those: AskedCondition[][]): AskedCondition[][] {
  requireFew(these.length * those.length);
  return these.flatMap((one) =>
    those.map((other) => {
      if (one.length + other.length > MOST_CONDITIONS) {
        throw invalidField('rule', `takes at most ${MOST_CONDITIONS} conditions joined by and`);
      }
      return [...one, ...other];
    }),
  );
}

function requireFew(groups: number): void {
  if (groups > MOST_GROUPS) throw invalidField('rule', `takes at most ${MOST_GROUPS} alternatives`);
}
