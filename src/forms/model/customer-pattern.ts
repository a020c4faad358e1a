import { RE2JS } from 're2js';

const LONGEST_PATTERN = 1_000;
/** A repeat is written out when it is compiled: a few characters could otherwise become a huge program. */
const MOST_REPEATS = 1_000;

const compiled = new WeakMap<object, RE2JS>();

/** Why a pattern of a form cannot be used, or null where it can. */
export function faultOfPattern(pattern: string): string | null {
  if (pattern.length > LONGEST_PATTERN) return `a pattern may have at most ${LONGEST_PATTERN} characters`;
  if (repeatsIn(pattern) > MOST_REPEATS) return `the repeats of a pattern may add up to at most ${MOST_REPEATS}`;
  try {
    RE2JS.compile(pattern);
    return null;
  } catch {
    return 'this pattern is not one that RE2 can search for';
  }
}

/** How much work a pattern is to compile, in something like characters. */
export function weightOfPattern(pattern: string): number {
  return pattern.length + repeatsIn(pattern);
}

/** Whether a text has the pattern anywhere, in time linear in the text. The owner keeps what was compiled. */
export function hasPattern(owner: object, pattern: string, text: string): boolean {
  let program = compiled.get(owner);
  if (program === undefined || program.pattern() !== pattern) {
    program = RE2JS.compile(pattern);
    compiled.set(owner, program);
  }
  return program.test(text);
}

function repeatsIn(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  return counts.reduce((sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)), 0);
}
