import { Parser } from 'htmlparser2';

/** What HTML consists of, in order; every element that opens also closes. */
export type Mark =
  | { kind: 'text'; text: string }
  /** `end` is the place of the mark that closes it. */
  | { kind: 'open'; name: string; attributes: Record<string, string>; end: number }
  | { kind: 'close' };

type Opened = Extract<Mark, { kind: 'open' }>;

/** The longest layout that is read. */
const LONGEST = 1_048_576;
const UNSEEN = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/g;

/** The time that elements within elements take grows with the square of their depth. */
const DEEPEST = 500;

/**
 * Reads whatever a customer wrote, however broken, into marks that are balanced; none where it is too long or nested too
 * deep.
 */
export function readMarkup(html: string): Mark[] {
  if (html.length > LONGEST) return [];
  const marks: Mark[] = [];
  const open: Opened[] = [];
  const close = () => {
    (open.pop() as Opened).end = marks.length;
    marks.push({ kind: 'close' });
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      const cleaned = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, clean(value)]));
      const mark: Opened = { kind: 'open', name, attributes: cleaned, end: 0 };
      open.push(mark);
      marks.push(mark);
      if (open.length > DEEPEST) parser.pause();
    },
    ontext(text) {
      marks.push({ kind: 'text', text: clean(text) });
    },
    onclosetag(name) {
      if (open.at(-1)?.name === name) close(); // else it never opened: the text ended within its tag
    },
  });
  parser.end(clean(html));
  if (open.length > DEEPEST) return [];
  while (open.length > 0) close();
  return marks;
}

/** Without what a browser changes or drops in silence; it may also come by a number, such as &#1; */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}
