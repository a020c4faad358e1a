/**
 * The three-digit ZIP areas with 20,000 people or fewer by the 2000 census, which 45 CFR 164.514(b)(2)(i)(B) has
 * written as 000. From the guidance of the Office for Civil Rights on de-identification (26 November 2012), "When can
 * ZIP codes be included in de-identified information?".
 */
const RESTRICTED = new Set('036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893'.split(' '));

const ZIP = /^(\d{3})\d{2}(?:[-\s]?\d{4})?$/;

/** What of a ZIP code may be told: its first three digits, 000 where few people live there; nothing of anything else. */
export function zip3Of(answer: unknown): string {
  // A number has lost the zeros that ZIP codes of the north-east begin with.
  const text = typeof answer === 'number' ? String(answer).padStart(5, '0') : typeof answer === 'string' ? answer : '';
  const [, first] = ZIP.exec(text.trim()) ?? [];
  if (first === undefined) return '';
  return RESTRICTED.has(first) ? '000' : first;
}
