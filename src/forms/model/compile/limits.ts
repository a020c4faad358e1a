import { isDate } from '../answer-patterns.ts';
import { faultOfPattern, weightOfPattern } from '../customer-pattern.ts';
import { NO_LIMIT } from '../form-model.ts';
import { type Reading, USUAL_ENTRIES } from './notes.ts';
import type { Settings } from './settings.ts';

/** The least and the most that a form sets; a pair that nothing could meet is ignored. */
export function readRange(
  reading: Reading,
  path: string,
  least: number | null,
  most: number | null,
): { least: number | null; most: number | null } {
  if (least === null || most === null || least <= most) return { least, most };
  reading.note(path, 'the least is more than the most: both are ignored');
  return { least: null, most: null };
}

/** A range of counts: whole, not below nothing, and without a limit where the form sets none. */
export function readCounts(
  reading: Reading,
  path: string,
  least: number | null,
  most: number | null,
): { least: number; most: number } {
  const range = readRange(reading, path, asCount(reading, path, least), asCount(reading, path, most));
  return { least: range.least ?? 0, most: range.most ?? NO_LIMIT };
}

/** How many entries a repeating group demands and takes, each of such a weight and with so many steps of expressions. */
export function readEntries(
  reading: Reading,
  path: string,
  settings: Settings,
  { weight, steps }: { weight: number; steps: number },
): { least: number; most: number } {
  const counts = readCounts(
    reading,
    path,
    settings.number('min', 'minitems', 'minrows', 'least'),
    settings.number('max', 'maxitems', 'maxrows', 'most'),
  );
  const wanted = counts.most === NO_LIMIT ? USUAL_ENTRIES : counts.most;
  const most = reading.takeEntries(wanted, weight, steps);
  const least = reading.takeDemandedEntries(Math.min(counts.least, most), weight);
  if (least < counts.least) reading.note(path, `the group may demand at most ${least} entries`);
  if (most < wanted) reading.note(path, `the group takes at most ${most} entries`);
  return { least, most };
}

function asCount(reading: Reading, path: string, value: number | null): number | null {
  if (value === null || (Number.isSafeInteger(value) && value >= 0)) return value;
  reading.note(path, 'a count is a whole number that is not negative');
  return null;
}

/** The range of a number; bounds that exclude their own value can be kept only for whole numbers. */
export function readNumberRange(
  reading: Reading,
  path: string,
  settings: Settings,
  whole: boolean,
): { least: number | null; most: number | null } {
  const above = settings.number('exclusiveminimum');
  const below = settings.number('exclusivemaximum');
  if (!whole && (above !== null || below !== null)) reading.note(path, 'exclusive bounds are for whole numbers only');
  return readRange(
    reading,
    path,
    settings.number('min', 'minimum', 'minvalue') ?? (whole && above !== null ? Math.floor(above) + 1 : null),
    settings.number('max', 'maximum', 'maxvalue') ?? (whole && below !== null ? Math.ceil(below) - 1 : null),
  );
}

/** What a number has to be a multiple of; whole numbers say so themselves. */
export function readMultipleOf(reading: Reading, path: string, settings: Settings): number | null {
  const step = settings.number('multipleof');
  if (step !== null && step <= 0) reading.note(path, 'a number is a multiple of one that is more than nothing');
  return step === null || step <= 0 || step === 1 ? null : step;
}

/** A bound of dates: a date of the calendar, or the word today. */
export function readDateBound(reading: Reading, path: string, bound: string | null): string | null {
  if (bound === null || isDate(bound) || bound === 'today') return bound;
  reading.note(path, 'a bound of a date is written YYYY-MM-DD or today');
  return null;
}

/** The pattern that a text has to have, where it is one that can be searched for safely. */
export function readPattern(reading: Reading, path: string, settings: Settings): string | null {
  const pattern = settings.get('pattern', 'regex');
  if (pattern === undefined || pattern === '') return null;
  const fault = typeof pattern === 'string' ? faultOfPattern(pattern) : 'a pattern is written as a text';
  if (fault === null && reading.takePattern(weightOfPattern(pattern as string))) return pattern as string;
  reading.note(`${path}.pattern`, `the pattern is ignored: ${fault ?? 'the form has too many'}`);
  return null;
}
