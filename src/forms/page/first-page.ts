import { randomBytes } from 'node:crypto';

/** What differs from one showing of the same page to the next. */
export interface OfTheMoment {
  nonce: string;
  once: string;
  shown: string;
}

const mark = () => `m${randomBytes(16).toString('hex')}`;
/** Stand in a page for what differs; nobody else can know them. */
const MARKS: OfTheMoment = { nonce: mark(), once: mark(), shown: mark() };
const ANY_MARK = new RegExp(`(${Object.values(MARKS).join('|')})`);
const MOST_PAGES = 16;

/** Pages of one version of a form, cut at what differs. */
type Cut = Map<string, string[]>;

const cuts = new WeakMap<object, Cut>();

/**
 * A page that nobody has typed into yet, drawn once for each version of a form and each name that says all it is made of,
 * and then only filled in. `draw` is given marks in place of what differs.
 */
export function firstPage(
  version: object,
  name: string,
  moment: OfTheMoment,
  draw: (marks: OfTheMoment) => string,
): string {
  const pages = cuts.get(version) ?? new Map<string, string[]>();
  cuts.set(version, pages);
  const pieces = pages.get(name) ?? draw(MARKS).split(ANY_MARK);
  const [oldest] = pages.keys();
  if (pages.size >= MOST_PAGES && oldest !== undefined && !pages.has(name)) pages.delete(oldest);
  pages.set(name, pieces);
  const values = new Map(Object.entries(MARKS).map(([key, each]) => [each, moment[key as keyof OfTheMoment]]));
  return pieces.map((piece) => values.get(piece) ?? piece).join('');
}
