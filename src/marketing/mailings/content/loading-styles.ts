import { ident, tokenize, tokenTypes } from 'css-tree';
import type { Node } from '../../../email/index.ts';
import { findStartTags, findTags, type StartTag } from './start-tags.ts';

/** A token of a style sheet, other than a comment. */
export interface Token {
  type: number;
  text: string;
}

/** What tells the element that a selector is about; null and none where it may be any. */
export interface Subject {
  tag: string | null;
  /** Its classes, and its id. */
  names: string[];
}

// What stands for mustaches where HTML is read without them: no author writes these.
const VALUE = '\uE000';
const BLOCK = '\uE001';
const MARKS = /[\uE000\uE001]/g;
const LOADING = /^(url|src|image|(-webkit-)?(image-set|cross-fade))$/i;
/** What they load is loaded where a rule names them, which may be any. */
const NAMED_ELSEWHERE = /^@(-webkit-)?(keyframes|counter-style|property)$/i;
/** What these load is part of the mail. */
const WITHIN = /^["']?\s*(data:|cid:|#)/i;
/** They tell of what stands beside an element or inside it. */
const OF_NEIGHBOURS = /^(empty|(first|last|only)-(child|of-type))$/i;
const ANY: Subject = { tag: null, names: [] };
/** Mails have a dozen; whoever has more of what loads something has it for any. */
const MOST_SUBJECTS = 500;
const { Colon, Comma, Comment, Delim, Hash, Ident, Semicolon, String: Quoted, Url, WhiteSpace } = tokenTypes;
const { Function: Call, LeftCurlyBracket, LeftSquareBracket, RightCurlyBracket, RightSquareBracket } = tokenTypes;
const { LeftParenthesis, RightParenthesis } = tokenTypes;

/** HTML with every branch of every block. */
export function writtenOut(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      return node.kind === 'value' ? VALUE : [writtenOut(node.body), writtenOut(node.otherwise)].join(BLOCK);
    })
    .join('');
}

/** Tells of a piece of HTML whether the style elements of a mail load something for it; rather too often than not. */
export function loadingStyles(mail: string): (html: string) => boolean {
  const found = stylesIn(mail).flatMap((css) => loadingSubjects(tokensOf(css)));
  if (found.length === 0) return () => false;
  const subjects = found.length > MOST_SUBJECTS ? [ANY] : found;
  const byKey = Map.groupBy(subjects, keyOf);
  const tags = new Set(subjects.map(({ tag }) => tag));
  return (html) => findStartTags(html).some((tag) => isAmong(byKey, tags, tag));
}

/** What the style elements of HTML hold. */
export function stylesIn(html: string): string[] {
  const { startTags, endTags } = findTags(html);
  const ends = endTags.filter(({ name }) => name === 'style').map(({ start }) => start);
  let next = 0;
  return startTags
    .filter(({ name }) => name === 'style')
    .map(({ end }) => {
      while ((ends[next] ?? html.length) < end) next += 1;
      return html.slice(end, ends[next]).replace(MARKS, ' ');
    });
}

/** The tokens of a style sheet in their order. */
export function tokensOf(css: string): Token[] {
  const tokens: Token[] = [];
  tokenize(css, (type, from, to) => {
    if (type !== Comment) tokens.push({ type, text: css.slice(from, to) });
  });
  return tokens;
}

/** What the rules that load something are about, whatever media queries and the like stand around them. */
function loadingSubjects(tokens: readonly Token[]): Subject[] {
  const found = new Set<readonly Token[]>();
  const isLoading = createIsLoading();
  // Of each block that is open, the selectors of the rule that it is or is part of.
  const around: (readonly Token[])[] = [];
  let begin = 0;
  let isCustom = false;
  for (const [index, token] of tokens.entries()) {
    const { type, text } = token;
    if (isLoading(token)) found.add(isCustom ? EVERYWHERE : (around.at(-1) ?? []));
    // What is given to such a name is loaded where another rule uses it.
    if (type === Ident && text.startsWith('--')) isCustom = true;
    if (type !== LeftCurlyBracket && type !== RightCurlyBracket && type !== Semicolon) continue;
    if (type === LeftCurlyBracket) around.push(selectorsOf(trimmed(tokens.slice(begin, index)), around.at(-1) ?? []));
    if (type === RightCurlyBracket) around.pop();
    begin = index + 1;
    isCustom = false;
  }
  return [...found].flatMap((selectors) => splitAt(selectors, ({ type }) => type === Comma).map(subjectOf));
}

const EVERYWHERE: readonly Token[] = [{ type: Delim, text: '*' }];

function selectorsOf(prelude: readonly Token[], outer: readonly Token[]): readonly Token[] {
  const [first] = prelude;
  if (outer === EVERYWHERE || NAMED_ELSEWHERE.test(first?.text ?? '')) return EVERYWHERE;
  return first === undefined || first.text.startsWith('@') ? outer : prelude;
}

/** Tells of each token in turn whether it is an address that is loaded: what stands in a call, quoted, or is one with its word. */
function createIsLoading(): (token: Token) => boolean {
  const calls: boolean[] = [];
  let depth = 0;
  return ({ type, text }) => {
    if (type === Url) return !WITHIN.test(text.slice(text.indexOf('(') + 1).trim());
    if (type === Quoted) return depth > 0 && !WITHIN.test(text);
    if (type === Call || type === LeftParenthesis) {
      const loads = type === Call && LOADING.test(ident.decode(text.slice(0, -1)));
      calls.push(loads);
      if (loads) depth += 1;
    }
    if (type === RightParenthesis && calls.pop() === true) depth -= 1;
    return false;
  };
}

/** The element that a selector is about, or any where it depends on more than that and those around it. */
export function subjectOf(selector: readonly Token[]): Subject {
  if (selector.some((token, index) => looksAround(token, selector[index - 1]))) return ANY;
  const parts = splitAt(trimmed(withoutAttributes(selector)), ({ type, text }) => type === WhiteSpace || text === '>');
  const subject: Subject = { tag: null, names: [] };
  const last = parts.at(-1) ?? [];
  for (const [index, { type, text }] of last.entries()) {
    const before = last[index - 1];
    if (type === Hash) subject.names.push(nameOf(text.slice(1)));
    if (type !== Ident || before?.type === Colon) continue;
    if (before?.text === '.') subject.names.push(nameOf(text));
    else subject.tag = nameOf(text);
  }
  return subject;
}

/** Whether it depends on more than an element and those around it. */
function looksAround({ type, text }: Token, before: Token | undefined): boolean {
  if (type === Call || (type === Delim && ['+', '~', '&'].includes(text))) return true;
  return type === Ident && before?.type === Colon && OF_NEIGHBOURS.test(text);
}

function withoutAttributes(selector: readonly Token[]): Token[] {
  let isInside = false;
  return selector.filter(({ type }) => {
    if (type === LeftSquareBracket) isInside = true;
    const isKept = !isInside;
    if (type === RightSquareBracket) isInside = false;
    return isKept;
  });
}

/** Names ignore case where a mail does not say which HTML it is. */
function isAmong(byKey: ReadonlyMap<string, Subject[]>, tags: ReadonlySet<string | null>, tag: StartTag): boolean {
  const given = ['class', 'id'].map((attribute) => tag.attributes.get(attribute)?.value ?? '').join(' ');
  // Where its names depend on the reader it may be any.
  if (given.search(MARKS) >= 0 || [...tag.attributes.keys()].some((each) => each.includes(BLOCK))) {
    return tags.has(null) || tags.has(tag.name);
  }
  const names = new Set(given.split(/\s+/).map(nameOf));
  const keys = [keyOf(ANY), keyOf({ tag: tag.name, names: [] }), ...[...names].map((name) => `.${name}`)];
  return keys.some((key) => byKey.get(key)?.some((subject) => mayBe(tag.name, names, subject)) === true);
}

/** Under what a subject is found: one of its names, or else its tag. */
export function keyOf({ tag, names: [name] }: Subject): string {
  return name === undefined ? (tag ?? '*') : `.${name}`;
}

function mayBe(tag: string, names: ReadonlySet<string>, subject: Subject): boolean {
  return (subject.tag === null || subject.tag === tag) && subject.names.every((each) => names.has(each));
}

/** A name of a style sheet as it is compared. */
export function nameOf(text: string): string {
  return ident.decode(text).toLowerCase();
}

/** Tokens without the white space around them. */
export function trimmed(tokens: readonly Token[]): Token[] {
  const isSpace = ({ type }: Token) => type === WhiteSpace;
  const start = tokens.findIndex((token) => !isSpace(token));
  return start < 0 ? [] : tokens.slice(start, tokens.findLastIndex((token) => !isSpace(token)) + 1);
}

/** The pieces between some tokens. */
export function splitAt(tokens: readonly Token[], isBetween: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isBetween(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}
