const DIGIT_OF_ARABIC_OR_PERSIAN = /[\u0660-\u0669\u06F0-\u06F9]/g;
/** A comma that can only stand before decimals. */
const DECIMAL_COMMA = /^\s*[+-]?\d*,\d+\s*$/;
/** Some write thousands so, and others decimals. */
const EITHER = /^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$/;

/** A text with the digits that keyboards in Arabic and Persian have as everybody else's. */
export function withPlainDigits(text: string): string {
  return text.replace(DIGIT_OF_ARABIC_OR_PERSIAN, (digit) => String((digit.codePointAt(0) ?? 0) % 16));
}

/**
 * A number as it is typed where the keypad of a phone has a comma in the place of the point, or other digits. What may be
 * meant in two ways, and whatever is no number, stays as it was typed.
 */
export function asPlainNumber(text: string): string {
  const plain = withPlainDigits(text).replace('\u066B', '.');
  if (EITHER.test(plain)) return text;
  return DECIMAL_COMMA.test(plain) ? plain.replace(',', '.') : plain;
}
