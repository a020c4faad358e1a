/** 45 CFR 164.514(b)(2)(i)(C): ages over 89, and what shows one, are told together as 90 or older. */
const OLDEST_TOLD = 89;
const OLDER = '90+';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const YEAR = /^\d{4}$/;

/** An age as it may be told. */
export function ageText(answer: unknown): string {
  const age = typeof answer === 'string' ? Number(answer.trim() || Number.NaN) : answer;
  if (typeof age !== 'number' || !Number.isFinite(age) || age < 0) return '';
  return age > OLDEST_TOLD ? OLDER : String(Math.floor(age));
}

/** A choice of ages as it may be told: one that begins over 89 is told together with all others that do. */
export function ageLabel(label: string): string {
  const numbers = label.match(/\d+/g)?.map(Number) ?? [];
  return numbers.length > 0 && Math.min(...numbers) > OLDEST_TOLD ? OLDER : label;
}

/** How old somebody born then was on a day; nothing where the answer is no date or year, or lies after that day. */
export function ageAt(day: Date, answer: unknown): string {
  const text = typeof answer === 'number' ? String(answer) : typeof answer === 'string' ? answer.trim() : '';
  if (YEAR.test(text)) return ageText(day.getUTCFullYear() - Number(text));
  const [, year, month, date] = DATE.exec(text) ?? [];
  if (year === undefined) return '';
  const birthday = `${month}-${date}`;
  const isBefore = day.toISOString().slice(5, 10) < birthday;
  return ageText(day.getUTCFullYear() - Number(year) - (isBefore ? 1 : 0));
}

/** The year of a date. One so long ago that it shows an age over 89 is told together with all before it. */
export function yearText(day: Date, answer: unknown): string {
  const text = typeof answer === 'number' ? String(answer) : typeof answer === 'string' ? answer.trim() : '';
  const year = YEAR.test(text) ? text : DATE.exec(text)?.[1];
  if (year === undefined) return '';
  const earliest = day.getUTCFullYear() - OLDEST_TOLD;
  return Number(year) < earliest ? `before ${earliest}` : year;
}
