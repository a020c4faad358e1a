import type { Choice } from '../model/form-model.ts';

/** Words in the name or label of a question that make its answer an identifier of the safe harbour list. */
export const IDENTIFIER =
  /\b(id|identifier|identification|ssn|social security|mrn|medical record|chart|case|claim|reference|ref|account|acct|member|subscriber|beneficiary|policy|plan|medicare|medicaid|nhs|npi|tax|itin|insurance (no|num|number)|(patient|client|customer|member|person|record|user) ?(id|no|num|number)|licen[cs]e|certificate|passport|vin|vehicle|plate|device|serial|imei|udi|rx|prescription (no|num|number)|pin|e ?mail|fax|(home|work|cell)?phone(number)?|mobile|cell|telephone|card|routing|iban|ip|url)s?\b/;
export const PLACE =
  /\b(street|city|town|hometown|village|county|parish|precinct|district|borough|suburb|municipality|neighbou?rhood|address|location|reside|residence|(live|lives|lived|living) (in|at)|where (\w+ ){0,4}(live|lives|lived|living|stay|staying|from|work))s?\b/;
export const ZIP = /\b(zip|zipcode|postcode|post code|postal code)s?\b/;
export const BIRTH = /\b(birth|births|birthday|birthdate|dateofbirth|dob|born)\b/;
export const AGE = /\b(age|aged|ages|how old|years? old)\b/;
/** A question that is answered with a part of a date. */
export const DATE = /\b(dates?|anniversary|(which|what) (day|month|week)|(day|month|week) of)\b/;

const MONTH =
  '(?:jan|january|feb|february|mar|march|apr|april|may|june?|july?|aug|august|sept?|september|oct|october|nov|november|dec|december)';
const DATES = [
  /\b\d{4}[-/.]\d{1,2}\b/,
  /\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/,
  new RegExp(`^${MONTH}$`),
  new RegExp(`\\b${MONTH}[.,]? \\d`),
  new RegExp(`\\d(?:st|nd|rd|th|\\.)? (?:of )?${MONTH}\\b`),
];

/** Whether one of the choices is a date, or a part of one that is more than its year. */
export function nameDates(choices: Choice[]): boolean {
  const texts = choices.flatMap(({ value, label }) => [value, label]).map((text) => text.trim().toLowerCase());
  return texts.some((text) => DATES.some((date) => date.test(text)));
}

/** Name and label as words, taken apart and whole: `dateOfBirth` is three and one, `SSNLast4` is three and one. */
export function wordsOf({ name, label }: { name: string; label: string }): string {
  const whole = `${name} ${label}`.normalize('NFKC');
  const apart = whole
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .replace(/(\d)(\p{L})/gu, '$1 $2');
  return `${apart} / ${whole}`.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
}
