import { readShowWhen } from '../../../../src/forms/model/compile/conditions.ts';
import { Reading } from '../../../../src/forms/model/compile/notes.ts';
import type { Plain } from '../../../../src/forms/model/compile/settings.ts';
import { ExpressionMistake, parseExpression } from '../../../../src/forms/model/expression/parse.ts';
import { type Expression, namesIn } from '../../../../src/forms/model/expression/syntax.ts';
import { writeExpression } from '../../../../src/forms/model/expression/write.ts';
import { type Known, questionOf } from '../draft/questions.ts';
import { locate, SETTINGS, settingsOf, valueAt, withSetting } from '../draft/settings.ts';

/** An expression as it is written and as it is understood. */
export interface Read {
  source: string;
  expression: Expression | null;
  /** What is wrong with it: a mistake of the language, or a question that is not there. */
  mistake: { kind: 'language'; rule: string; position: number } | { kind: 'unknown'; name: string } | null;
}

/** Reads what somebody wrote, and finds what is wrong with it. */
export function readSource(source: string, questions: readonly Known[]): Read {
  if (source.trim() === '') return { source: '', expression: null, mistake: null };
  try {
    const expression = parseExpression(source);
    const unknown = [...namesIn(expression)].find((name) => questionOf(questions, name) === undefined);
    return { source, expression, mistake: unknown === undefined ? null : { kind: 'unknown', name: unknown } };
  } catch (error) {
    if (!(error instanceof ExpressionMistake)) throw error;
    return { source, expression: null, mistake: { kind: 'language', rule: error.rule, position: error.position } };
  }
}

/** When an element is shown, as its expression; rules of the older kind are written as one. */
export function showWhenOf(raw: unknown): string {
  const path = locate(raw, SETTINGS.showWhen.keys);
  const hasOlder = locate(raw, SETTINGS.olderRules.keys) !== null;
  if (!hasOlder) return path === null ? '' : String(valueAt(raw, path));
  const expression = readShowWhen(new Reading(), '', settingsOf(raw));
  return expression === null ? '' : writeExpression(expression);
}

/** The element with another condition for being shown; it then stands in one place alone. */
export function withShowWhen(raw: unknown, source: string): Plain {
  const without = withSetting(raw, SETTINGS.olderRules, undefined);
  return withSetting(without, SETTINGS.showWhen, source.trim() === '' ? undefined : source);
}
