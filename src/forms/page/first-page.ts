import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../../platform/http/pages/plain-page.ts';

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

/** A page, cut at what differs: the bytes of what does not, and the name of what does. */
type Piece = Buffer | keyof OfTheMoment;
/** Pages of one version of a form. */
type Cut = Map<string, Piece[]>;

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
): Buffer {
  const pages: Cut = cuts.get(version) ?? new Map();
  cuts.set(version, pages);
  const pieces = pages.get(name) ?? cut(draw(MARKS));
  const [oldest] = pages.keys();
  if (pages.size >= MOST_PAGES && oldest !== undefined && !pages.has(name)) pages.delete(oldest);
  pages.set(name, pieces);
  // What a page carries comes back from its visitor, who may have written anything into it.
  const filled = (piece: Piece) => (typeof piece === 'string' ? Buffer.from(escapeHtml(moment[piece])) : piece);
  return Buffer.concat(pieces.map(filled));
}

function cut(page: string): Piece[] {
  const names = new Map(Object.entries(MARKS).map(([name, each]) => [each, name as keyof OfTheMoment]));
  return page.split(ANY_MARK).map((piece) => names.get(piece) ?? Buffer.from(piece));
}
