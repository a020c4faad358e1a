const DIGITS = [0, 1, 2, 3, 5, 6, 8, 9];

/** A pattern of the dates, among texts that are dates, that are later than one, or that one too. */
export function laterThan(date: string, orSame: boolean): string {
  return beyond(date, orSame, (digit) => (digit < 9 ? `[${digit + 1}-9]` : null));
}

/** A pattern of the dates, among texts that are dates, that are earlier than one, or that one too. */
export function earlierThan(date: string, orSame: boolean): string {
  return beyond(date, orSame, (digit) => (digit > 0 ? `[0-${digit - 1}]` : null));
}

/** Dates of this form are in the order of their texts: the first digit that differs decides. */
function beyond(date: string, orSame: boolean, digitsBeyond: (digit: number) => string | null): string {
  const ways = DIGITS.flatMap((at) => {
    const digits = digitsBeyond(Number(date[at]));
    return digits === null ? [] : [`${date.slice(0, at)}${digits}`];
  });
  return `^(?:${[...ways, ...(orSame ? [date] : [])].join('|')})`;
}
