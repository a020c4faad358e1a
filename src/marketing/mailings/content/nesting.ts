import type { Tags } from './start-tags.ts';

const DEEPEST = { html: 400, mjml: 100 };
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
// A second one ends the first, unless an element is in between that is counted itself.
const ENDED_BY_NEXT = /^(p|li|d[dt]|r[pt]|tr|t[dh]|tbody|thead|tfoot|colgroup|option|optgroup)$/;

/** Where elements are nested deeper than allowed. */
export interface TooDeep {
  offset: number;
  rule: string;
}

/**
 * Says where elements are nested deeper than the native readers of HTML and MJML can follow: they call themselves for
 * each level, and would run out of stack. Each name is counted by itself, for a reader that meets an end tag in the
 * wrong place may leave everything else open.
 */
export function findTooDeep(tags: Tags, language: 'html' | 'mjml'): TooDeep | null {
  const open = new Map<string, number>();
  let depth = 0;
  for (const { name, start, change } of changesIn(tags, language)) {
    const count = open.get(name) ?? 0;
    if (count + change < 0) continue;
    open.set(name, count + change);
    depth += change;
    if (depth > DEEPEST[language]) {
      return { offset: start, rule: `elements may be nested at most ${DEEPEST[language]} deep` };
    }
  }
  return null;
}

function changesIn({ startTags, endTags }: Tags, language: 'html' | 'mjml') {
  const counts = (name: string) => !VOID.test(name) && (language === 'mjml' || !ENDED_BY_NEXT.test(name));
  const opening = startTags
    .filter(({ closesItself }) => language === 'html' || !closesItself)
    .map(({ name, nameEnd }) => ({ name, start: nameEnd - name.length - 1, change: 1 }));
  const closing = endTags.map(({ name, start }) => ({ name, start, change: -1 }));
  return [...opening, ...closing].filter(({ name }) => counts(name)).toSorted((one, other) => one.start - other.start);
}
