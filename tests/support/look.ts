/** For each operation, every time; RUNS=500 for a long look. */
const QUICK_RUNS = 20;
export const RUNS = Number(process.env.RUNS ?? QUICK_RUNS);

/** A long look tries everything everywhere. */
const IS_LONG = RUNS > QUICK_RUNS;
export const SHARE = 5;

/**
 * What the n-th of many that read in the same way is tried with: in a quick look every fifth, beginning elsewhere each time,
 * so that all of it is tried in some places of every area.
 */
export function shareFor<Value>(nth: number, values: Value[], share = SHARE): Value[] {
  return IS_LONG ? values : values.filter((_, index) => (index + nth) % share === 0);
}
