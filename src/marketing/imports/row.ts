import type { NumberedValues } from '../fields/sealed-fields.ts';

/** Somebody as a row of a file tells of them; null where it says nothing. */
export interface ImportRow {
  line: number;
  email: string | null;
  phoneNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  timeZone: string | null;
  fields: NumberedValues;
  /** What it says of their health. */
  phi: NumberedValues;
  /** Whether it says that they opted out. */
  optedOut: boolean;
}

/** What makes two rows the same person. */
export function keyOf({ email, phoneNumber }: ImportRow): string {
  return email === null ? `phone ${phoneNumber}` : email.toLowerCase();
}

/** Two rows of one person as one: what was said later counts. Tells whether it said anything new. */
export function merged(first: ImportRow, later: ImportRow): { row: ImportRow; isNew: boolean } {
  const row: ImportRow = {
    line: first.line,
    email: later.email ?? first.email,
    phoneNumber: later.phoneNumber ?? first.phoneNumber,
    firstName: later.firstName ?? first.firstName,
    lastName: later.lastName ?? first.lastName,
    timeZone: later.timeZone ?? first.timeZone,
    fields: { ...first.fields, ...later.fields },
    phi: { ...first.phi, ...later.phi },
    optedOut: first.optedOut || later.optedOut,
  };
  return { row, isNew: JSON.stringify(row) !== JSON.stringify(first) };
}
