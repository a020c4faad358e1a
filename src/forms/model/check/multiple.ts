/** As many decimal digits as any number keeps. */
const DIGITS = 15;

/** Whether a number is a multiple of another as both are written: 0.07 is one of 0.01, which binary fractions would deny. */
export function isMultipleOf(number: number, step: number): boolean {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(step)) return number % step === 0;
  const nearest = Math.round(number / step) * step;
  return nearest.toPrecision(DIGITS) === number.toPrecision(DIGITS);
}
