import { type CssNode, find, generate, ident, type Selector, type SelectorList, walk } from 'css-tree';
import { ownName } from '../own-name.ts';

const words = (text: string) => new Set(text.split(/\s+/));

const STATES = words(
  `active checked default dir disabled empty enabled first-child first-of-type focus focus-visible focus-within has hover
  in-range indeterminate invalid is lang last-child last-of-type link not nth-child nth-last-child nth-last-of-type
  nth-of-type only-child only-of-type optional out-of-range placeholder-shown read-only read-write required root
  user-invalid user-valid valid visited where`,
);
const PSEUDO_ELEMENTS = words('after before file-selector-button first-letter first-line marker placeholder selection');
/** What a selector consists of besides names. Attributes are not among it: they could tell what was typed. */
const PARTS = words('AnPlusB Nth Selector SelectorList');
const NAME = /^[\w\u0080-\uFFFF*-]+$/;

/** The selectors of a rule that stay, each within the scope. */
export function scopedSelectors({ children }: SelectorList, scope: string): string[] {
  return children.toArray().flatMap((selector) => {
    if (selector.type !== 'Selector' || find(selector, (part) => !isSafePart(part)) !== null) return [];
    walk(selector, ownNames);
    return within(selector, scope);
  });
}

function isSafePart(part: CssNode): boolean {
  if (part.type === 'PseudoClassSelector') return STATES.has(part.name.toLowerCase());
  if (part.type === 'PseudoElementSelector') return PSEUDO_ELEMENTS.has(part.name.toLowerCase());
  if (part.type === 'TypeSelector' || part.type === 'Identifier') return NAME.test(part.name);
  if (part.type === 'Combinator') return /^(\s|>|\+|~)$/.test(part.name);
  return PARTS.has(part.type) || part.type === 'ClassSelector' || part.type === 'IdSelector';
}

/** Ids get the names that the layout gave them; escapes are written in one way. */
function ownNames(part: CssNode): void {
  if (part.type === 'ClassSelector') part.name = ident.encode(ident.decode(part.name));
  if (part.type === 'IdSelector') part.name = ident.encode(ownName(ident.decode(part.name)));
}

/** A selector under the scope; what is said of the whole page is said of the scope. */
function within({ children }: Selector, scope: string): string[] {
  const parts = children.toArray();
  let start = 0;
  let joint = ' ';
  while (isWholePage(parts[start])) {
    start += 1;
    joint = '';
    const next = parts[start];
    if (next?.type !== 'Combinator') break;
    if (next.name !== ' ' && next.name !== '>') return [];
    start += 1;
    joint = ' ';
  }
  const rest = parts.slice(start);
  if (rest[0]?.type === 'Combinator' || (joint === '' && rest[0]?.type === 'TypeSelector')) return [];
  return [scope + (rest.length === 0 ? '' : joint + rest.map((part) => generate(part)).join(''))];
}

function isWholePage(part: CssNode | undefined): boolean {
  if (part?.type === 'TypeSelector') return /^(html|body)$/i.test(part.name);
  return part?.type === 'PseudoClassSelector' && part.name.toLowerCase() === 'root';
}
