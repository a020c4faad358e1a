import { tokenTypes } from 'css-tree';
import { keyOf, nameOf, splitAt, stylesIn, subjectOf, type Token, tokensOf, trimmed } from './loading-styles.ts';
import { findTags } from './start-tags.ts';

interface Rule {
  selectors: Token[][];
  declarations: Token[][];
}

/** How many elements there are, and how many with each key of a subject; readers of HTML make some without a tag. */
interface Elements {
  all: number;
  byKey: ReadonlyMap<string, number>;
  /** Those whose names are written in a way that is not read here. */
  unclear: number;
  /** How many declarations their own styles have at most, all together and in one of them. */
  own: number;
  mostOwn: number;
}

const { AtKeyword, Comma, Function: Call, Hash, Ident } = tokenTypes;
const { LeftCurlyBracket, LeftParenthesis, LeftSquareBracket, Semicolon } = tokenTypes;
const { RightCurlyBracket, RightParenthesis, RightSquareBracket } = tokenTypes;
const CLOSED_BY = new Map([
  [LeftCurlyBracket, RightCurlyBracket],
  [LeftParenthesis, RightParenthesis],
  [Call, RightParenthesis],
  [LeftSquareBracket, RightSquareBracket],
]);

/** What a reader of HTML makes where there is no such tag. */
const MADE_UP = /^(html|head|body|tbody|tr|colgroup|img)$/;
/** What it begins again behind the end of what it stood in. */
const MADE_AGAIN = /^(a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;
/** What an end tag alone makes. */
const MADE_BY_END = /^(p|br)$/;

// In steps of a few nanoseconds, as measured.
const OF_AN_ELEMENT = 1000;
const OF_A_COMPARISON = 3;
const OF_A_MATCH = 30;
const OF_A_LOOK_ASIDE = 0.5;
const OF_A_CHARACTER = 10;
const OF_AN_OWN_DECLARATION = 5;

/**
 * How many steps the inliner takes at worst. It compares each selector with each element, writes each declaration into
 * the elements it applies to, and looks for one of the same property there and in the element's own style. Whom a selector is about is told by its last
 * part, so that it is rather too many.
 */
export function inliningWork(html: string): number {
  const elements = countElements(html);
  const { all, own, mostOwn } = elements;
  const properties = new Set<string>();
  let work = OF_AN_ELEMENT * all;
  let written = 0;
  let meantForSome = 0;
  for (const { selectors, declarations } of stylesIn(html).flatMap((css) => rulesOf(tokensOf(css)))) {
    let meant = 0;
    for (const selector of selectors) {
      meant += countMeant(selector, elements);
      work += OF_A_COMPARISON * all + (looksAside(selector) ? OF_A_LOOK_ASIDE * all * all : 0);
    }
    work += OF_A_MATCH * meant;
    for (const declaration of declarations) {
      properties.add(nameOf(declaration[0]?.text ?? ''));
      work += OF_A_CHARACTER * meant * lengthOf(declaration);
      written += meant;
      meantForSome += meant === 0 ? 0 : 1;
    }
  }
  const pairs = Math.min(written * mostOwn, meantForSome * own);
  return work + written * properties.size + OF_AN_OWN_DECLARATION * pairs;
}

/** The rules of a style sheet that are not part of others; of media queries and the like the inliner leaves all as it is. */
function rulesOf(tokens: readonly Token[]): Rule[] {
  const rules: Rule[] = [];
  const closing: number[] = [];
  let begin = 0;
  for (const [index, { type }] of tokens.entries()) {
    const isBetween = closing.length === 0;
    const isInRule = closing.length === 1 && closing[0] === RightCurlyBracket;
    if (type === Semicolon || (isBetween && type === LeftCurlyBracket) || (isInRule && type === RightCurlyBracket)) {
      const piece = trimmed(tokens.slice(begin, index));
      if (!isBetween && piece.length > 0) rules.at(-1)?.declarations.push(piece);
      if (isBetween && type === LeftCurlyBracket) rules.push({ selectors: selectorsOf(piece), declarations: [] });
      begin = index + 1;
    }
    const closes = CLOSED_BY.get(type);
    if (closes !== undefined) closing.push(closes);
    else if (closing.at(-1) === type) closing.pop();
  }
  if (closing.length > 0) rules.at(-1)?.declarations.push(tokens.slice(begin));
  return rules;
}

function selectorsOf(prelude: readonly Token[]): Token[][] {
  return prelude[0]?.type === AtKeyword ? [] : splitAt(prelude, ({ type }) => type === Comma);
}

function countMeant(selector: readonly Token[], { all, byKey, unclear }: Elements): number {
  const count = (key: string) => (key.startsWith('.') ? unclear : 0) + (byKey.get(key) ?? 0);
  const isAbsent = (text: string) => count(`.${nameOf(text)}`) === 0;
  const isPlain = !selector.some(({ type }) => type === Call);
  if (isPlain && namesIn(selector).some(isAbsent)) return 0;
  const subject = subjectOf(selector);
  const key = keyOf(subject);
  return key === '*' || MADE_UP.test(key) || MADE_AGAIN.test(key) ? all : count(key);
}

/** The classes and ids of a selector. */
function namesIn(selector: readonly Token[]): string[] {
  return selector.flatMap(({ type, text }, index) => {
    if (type === Hash) return text.slice(1);
    return type === Ident && selector[index - 1]?.text === '.' ? text : [];
  });
}

/** Whether it is compared with what stands beside an element too. */
function looksAside(selector: readonly Token[]): boolean {
  return selector.some(({ type, text }) => type === Call || text === '~');
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((length, { text }) => length + text.length, 0);
}

function countElements(html: string): Elements {
  const { startTags, endTags } = findTags(html);
  const byKey = new Map<string, number>();
  const add = (key: string) => byKey.set(key, (byKey.get(key) ?? 0) + 1);
  let unclear = 0;
  let own = 0;
  let mostOwn = 0;
  for (const { name, attributes } of startTags) {
    add(name);
    const declarations = countDeclarations(attributes.get('style')?.value);
    own += declarations;
    mostOwn = Math.max(mostOwn, declarations);
    const names = ['class', 'id'].map((attribute) => attributes.get(attribute)?.value ?? '').join(' ');
    if (names.includes('&')) unclear += 1;
    for (const each of new Set(names.split(/\s+/).filter((given) => given !== ''))) add(`.${nameOf(each)}`);
  }
  for (const { name } of endTags) if (MADE_BY_END.test(name)) add(name);
  const starts = startTags.map(({ name, nameEnd }) => ({ name, at: nameEnd, isEnd: false }));
  const ends = endTags.map(({ name, start }) => ({ name, at: start, isEnd: true }));
  return {
    all: countAll([...starts, ...ends].toSorted((one, other) => one.at - other.at)),
    byKey,
    unclear,
    own,
    mostOwn,
  };
}

/** A semicolon may be written as a character reference. */
function countDeclarations(style: string | undefined): number {
  return style === undefined ? 0 : style.split(/[;&]/).length;
}

function countAll(tags: readonly { name: string; isEnd: boolean }[]): number {
  let all = 0;
  let again = 0;
  for (const { name, isEnd } of tags) {
    if (MADE_AGAIN.test(name)) again = Math.max(0, again + (isEnd ? -1 : 1));
    if (!isEnd || MADE_BY_END.test(name)) all += 1 + again;
  }
  return all;
}
