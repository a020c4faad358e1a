const MANY_DIGITS = /\d{16}/;

/** Whether a whole number of so many digits would be given out as another one: that of a patient or a policy, say. */
export function losesDigits(text: string): boolean {
  if (!MANY_DIGITS.test(text) || !/^[+-]?\d+$/.test(text)) return false;
  const number = Number(text);
  return !Number.isFinite(number) || (BigInt(text) !== BigInt(number) && text !== String(number));
}

/** Parses JSON; a whole number that would become another one stays the text that was sent. */
export function parseExactly(text: string): unknown {
  return MANY_DIGITS.test(text) ? JSON.parse(text, asSent as Reviver) : JSON.parse(text);
}

/** ECMAScript's proposal for the text that a value was read from is in V8, and not yet in the types. */
type Reviver = (key: string, value: unknown) => unknown;

function asSent(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  return Number.isFinite(value) && losesDigits(source) ? source : value;
}
