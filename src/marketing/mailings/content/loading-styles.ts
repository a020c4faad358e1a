import { ident, tokenize, tokenTypes } from 'css-tree';
import type { Node } from '../../../email/index.ts';
import { findStartTags, findTags, type StartTag } from './start-tags.ts';

interface Token {
  type: number;
  text: string;
}

/** What tells the element that a selector is about; null and none where it may be any. */
interface Subject {
  tag: string | null;
  /** Its classes, and its id. */
  names: string[];
}

// What stands for mustaches where HTML is read without them: no author writes these.
const VALUE = '\uE000';
const BLOCK = '\uE001';
const MARKS = /[\uE000\uE001]/g;
const LOADING = /^(url|src|(-webkit-)?image-set)\($/i;
/** What these load is part of the mail. */
const WITHIN = /^["']?\s*(data:|cid:|#)/i;
/** They tell of what stands beside an element or inside it. */
const OF_NEIGHBOURS = /^(empty|(first|last|only)-(child|of-type))$/i;
const ANY: Subject = { tag: null, names: [] };
const { Colon, Comma, Comment, Delim, Hash, Ident, Semicolon, Url, WhiteSpace } = tokenTypes;
const { Function: Call, LeftCurlyBracket, LeftSquareBracket, RightCurlyBracket, RightSquareBracket } = tokenTypes;

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
  const subjects = stylesIn(mail).flatMap((css) => loadingSelectors(tokensOf(css)).map(subjectOf));
  if (subjects.length === 0) return () => false;
  return (html) => findStartTags(html).some((tag) => subjects.some((subject) => mayBe(tag, subject)));
}

function stylesIn(html: string): string[] {
  const { startTags, endTags } = findTags(html);
  const ends = endTags.filter(({ name }) => name === 'style');
  return startTags
    .filter(({ name }) => name === 'style')
    .map(({ end }) => html.slice(end, ends.find(({ start }) => start >= end)?.start).replace(MARKS, ' '));
}

function tokensOf(css: string): Token[] {
  const tokens: Token[] = [];
  tokenize(css, (type, from, to) => {
    if (type !== Comment) tokens.push({ type, text: css.slice(from, to) });
  });
  return tokens;
}

/** The selectors of the rules that load something, whatever media queries and the like stand around them. */
function loadingSelectors(tokens: readonly Token[]): Token[][] {
  const found = new Set<Token[]>();
  const around: Token[][] = [];
  let begin = 0;
  for (const [index, token] of tokens.entries()) {
    if (isLoading(token, tokens[index + 1])) {
      const selectors = around.findLast((each) => !each[0]?.text.startsWith('@'));
      if (selectors !== undefined) found.add(selectors);
    }
    if (![LeftCurlyBracket, RightCurlyBracket, Semicolon].includes(token.type)) continue;
    if (token.type === LeftCurlyBracket) around.push(trimmed(tokens.slice(begin, index)));
    if (token.type === RightCurlyBracket) around.pop();
    begin = index + 1;
  }
  return [...found].flatMap((selectors) => splitAt(selectors, ({ type }) => type === Comma));
}

/** An address that is not quoted is one with the word before it. */
function isLoading({ type, text }: Token, next: Token | undefined): boolean {
  if (type === Url) return !WITHIN.test(text.slice(text.indexOf('(') + 1).trim());
  return type === Call && LOADING.test(`${ident.decode(text.slice(0, -1))}(`) && !WITHIN.test(next?.text ?? '');
}

function subjectOf(selector: readonly Token[]): Subject {
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
function mayBe({ name, attributes }: StartTag, subject: Subject): boolean {
  if (subject.tag !== null && subject.tag !== name) return false;
  if ([...attributes.keys()].some((attribute) => attribute.includes(BLOCK))) return true;
  const given = ['class', 'id'].map((attribute) => attributes.get(attribute)?.value ?? '').join(' ');
  if (given.search(MARKS) >= 0) return true;
  const names = new Set(given.split(/\s+/).map(nameOf));
  return subject.names.every((each) => names.has(each));
}

function nameOf(text: string): string {
  return ident.decode(text).toLowerCase();
}

function trimmed(tokens: readonly Token[]): Token[] {
  const isSpace = ({ type }: Token) => type === WhiteSpace;
  const start = tokens.findIndex((token) => !isSpace(token));
  return start < 0 ? [] : tokens.slice(start, tokens.findLastIndex((token) => !isSpace(token)) + 1);
}

function splitAt(tokens: readonly Token[], isBetween: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isBetween(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}
