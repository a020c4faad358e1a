/** The largest number that an integer of FHIR may be. */
const LARGEST_INTEGER = 2 ** 31 - 1;

// FHIR strings have no control characters, and its JSON schema no spaces other than these.
const ODD_SPACE = /[^\S \t\r\n]/gu;
const CONTROL = /(?![\t\r\n])\p{Cc}/gu;

/** A text as FHIR takes it: odd spaces become plain ones, control characters go; undefined where nothing is left. */
export function fhirText(text: string | null | undefined): string | undefined {
  const clean = (text ?? '').replaceAll(ODD_SPACE, ' ').replaceAll(CONTROL, '');
  return clean === '' ? undefined : clean;
}

/** A value as a code of FHIR: without spaces around it, and with single ones inside. */
export function fhirCode(value: string): string {
  return (fhirText(value) ?? '').trim().replaceAll(/\s+/gu, ' ') || '-';
}

/** Whether a number is an integer of FHIR. */
export function isFhirInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= LARGEST_INTEGER;
}
