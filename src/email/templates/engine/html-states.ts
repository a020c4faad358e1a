import { afterCharacter, isUrlAttribute, URL_BEGINS, type UrlProgress } from './url-part.ts';

/** Where a reader of HTML stands between two characters; the names follow the tokenizer of the HTML standard. */
export interface Standing {
  at:
    | 'text'
    | 'raw text'
    | 'tag open'
    | 'end tag open'
    | 'tag name'
    | 'attributes'
    | 'attribute name'
    | 'after attribute name'
    | 'before value'
    | 'double-quoted'
    | 'single-quoted'
    | 'unquoted'
    | 'declaration open'
    | 'declaration'
    | 'comment';
  /** The element whose tag or raw text this is. */
  element: string;
  isEndTag: boolean;
  attribute: string;
  /** How far the URL has come, in an attribute that holds one. */
  url: UrlProgress;
  /** The last characters, where an end is recognised by several of them. */
  recent: string;
  /** `svg` or `math`, whose contents have other rules. */
  foreign: string;
}

export const STANDING_IN_TEXT: Standing = {
  at: 'text',
  element: '',
  isEndTag: false,
  attribute: '',
  url: URL_BEGINS,
  recent: '',
  foreign: '',
};

/** How long the name of an attribute may be to hold values; of a longer one a character more is kept to tell. */
export const LONGEST_ATTRIBUTE = 64;

const SPACE = /[\t\n\f\r ]/;
const LETTER = /[a-z]/i;
const RAW_TEXT = /^(script|style|xmp|iframe|noembed|noframes|noscript|plaintext|title|textarea)$/;
const FOREIGN = /^(svg|math)$/;

/** Takes one step over a character of the template. */
export function step(s: Standing, char: string): void {
  if (s.at === 'text') {
    if (char === '<') s.at = 'tag open';
  } else if (s.at === 'raw text') stepInRawText(s, char);
  else if (s.at === 'comment') {
    // <!--> and <!---> are whole comments.
    if (char === '>' && /^-?$|--!?$/.test(s.recent)) enterText(s);
    else s.recent = (s.recent + char).slice(-3);
  } else if (s.at === 'declaration') {
    if (char === '>') enterText(s);
  } else if (s.at === 'declaration open') {
    s.recent += char;
    if (s.recent === '--') Object.assign(s, { at: 'comment', recent: '' });
    else if (char === '>') enterText(s);
    else if (s.recent !== '-') Object.assign(s, { at: 'declaration', recent: '' });
  } else if (s.at === 'tag open' || s.at === 'end tag open') stepIntoTag(s, char);
  else if (s.at === 'double-quoted') stepInValue(s, char, char === '"');
  else if (s.at === 'single-quoted') stepInValue(s, char, char === "'");
  else if (char === '>') closeTag(s);
  else if (s.at === 'unquoted') stepInValue(s, char, SPACE.test(char));
  else stepInTag(s, char);
}

function stepIntoTag(s: Standing, char: string): void {
  if (LETTER.test(char)) {
    Object.assign(s, { at: 'tag name', element: char.toLowerCase(), isEndTag: s.at === 'end tag open' });
  } else if (s.at === 'tag open') {
    if (char === '/') s.at = 'end tag open';
    else if (char === '!') Object.assign(s, { at: 'declaration open', recent: '' });
    else if (char === '?') s.at = 'declaration';
    else if (char !== '<') s.at = 'text';
  } else if (char === '>') s.at = 'text';
  else s.at = 'declaration';
}

function stepInTag(s: Standing, char: string): void {
  const isSpace = SPACE.test(char);
  if (s.at === 'tag name') {
    if (isSpace || char === '/') s.at = 'attributes';
    else s.element += char.toLowerCase();
  } else if (s.at === 'before value') {
    if (isSpace) return;
    if (char === '"') s.at = 'double-quoted';
    else if (char === "'") s.at = 'single-quoted';
    else {
      s.at = 'unquoted';
      stepInValue(s, char, false);
    }
  } else if (s.at === 'attribute name' && !isSpace && char !== '/' && char !== '=') {
    if (s.attribute.length <= LONGEST_ATTRIBUTE) s.attribute += char.toLowerCase();
  } else if (s.at !== 'attributes' && char === '=') {
    Object.assign(s, { at: 'before value', url: URL_BEGINS });
  } else if (isSpace) {
    if (s.at === 'attribute name') s.at = 'after attribute name';
  } else if (char === '/') leaveAttribute(s);
  else Object.assign(s, { at: 'attribute name', attribute: char.toLowerCase() });
}

function stepInValue(s: Standing, char: string, ends: boolean): void {
  if (ends) leaveAttribute(s);
  else if (isUrlAttribute(s.attribute)) s.url = afterCharacter(s.url, char);
}

function leaveAttribute(s: Standing): void {
  Object.assign(s, { at: 'attributes', attribute: '', url: URL_BEGINS });
}

function closeTag(s: Standing): void {
  const { element, isEndTag } = s;
  if (isEndTag ? s.foreign === element : s.foreign === '' && FOREIGN.test(element)) s.foreign = isEndTag ? '' : element;
  if (!isEndTag && RAW_TEXT.test(element)) {
    Object.assign(s, { at: 'raw text', attribute: '', url: URL_BEGINS, recent: '' });
  } else enterText(s);
}

function enterText(s: Standing): void {
  Object.assign(s, { ...STANDING_IN_TEXT, foreign: s.foreign });
}

function stepInRawText(s: Standing, char: string): void {
  const end = `</${s.element}`;
  if (s.recent === end && (SPACE.test(char) || char === '/')) {
    Object.assign(s, { at: 'attributes', isEndTag: true, recent: '' });
  } else if (s.recent === end && char === '>') enterText(s);
  else if (char === '<') s.recent = '<';
  else {
    const recent = s.recent + char.toLowerCase();
    s.recent = s.recent !== '' && end.startsWith(recent) ? recent : '';
  }
}
