import type { UrlPart } from './tree.ts';

/** How far a URL has come that is partly written in the template. */
export interface UrlProgress {
  readonly part: UrlPart | 'scheme' | 'after-ampersand' | 'unclear';
  /** The letters of what may be a scheme, or behind an ampersand of what may be an entity. */
  readonly letters: string;
  /** Whether the template lets a variable be part of the scheme. */
  readonly variableScheme: boolean;
}

export const URL_BEGINS: UrlProgress = { part: 'start', letters: '', variableScheme: false };

// cid: names a part of the same message (RFC 2392), which is how mail shows its own images.
const LITERAL_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'cid']);
const AT_HAND = new Set(['mailto', 'tel', 'cid']);
const VARIABLE_SCHEME: UrlProgress = { ...URL_BEGINS, part: 'unclear', variableScheme: true };
const SCHEME_LETTERS = /[a-z0-9+.-]/i;
const URL_ATTRIBUTES =
  /^(href|src|action|formaction|background|cite|poster|data|longdesc|usemap|manifest|icon|dynsrc|lowsrc|codebase|classid|profile|.*:(href|src))$/;

/** Whether what an attribute holds is a URL. */
export function isUrlAttribute(attribute: string): boolean {
  return URL_ATTRIBUTES.test(attribute);
}

/** The URL after one more character of the template; `unclear` is where a value could change what it means. */
export function afterCharacter(url: UrlProgress, char: string): UrlProgress {
  if (url.part === 'start' || url.part === 'scheme') return afterBeginning(url, char);
  if (url.part === 'continued') {
    if (char === ':') return VARIABLE_SCHEME;
    if (char === '&') return { ...URL_BEGINS, part: 'after-ampersand' };
    if (char === '/' || char === '\\') return { ...URL_BEGINS, part: 'path' };
  }
  if (url.part === 'after-ampersand') return afterAmpersand(url, char);
  if ((url.part === 'path' || url.part === 'continued') && (char === '?' || char === '#')) {
    return { ...URL_BEGINS, part: 'query' };
  }
  return url;
}

/** Whether a URL has just turned out to lead somewhere, rather than to a mailbox, a telephone or a part of the message. */
export function beginsToLeadOut(before: UrlProgress, after: UrlProgress): boolean {
  const isOpen = (url: UrlProgress) => url.part === 'start' || url.part === 'scheme';
  return isOpen(before) && !isOpen(after) && !(after.part === 'path' && AT_HAND.has(before.letters));
}

/** The URL after a value, which may have been empty. */
export function afterUrlValue(url: UrlProgress): UrlProgress {
  return url.part === 'start' || url.part === 'scheme' ? { ...URL_BEGINS, part: 'continued' } : url;
}

/** Where a value stands in the URL, or the rule it breaks there. */
export function urlPartOf(url: UrlProgress): UrlPart | { rule: string } {
  if (url.part === 'after-ampersand' || url.part === 'unclear') {
    return { rule: 'a variable cannot stand behind this beginning of a URL' };
  }
  return url.part === 'scheme' ? 'continued' : url.part;
}

/** The URL after either of two branches. */
export function joinedUrl(one: UrlProgress, other: UrlProgress): UrlProgress {
  const variableScheme = one.variableScheme || other.variableScheme;
  if (one.part === other.part && one.letters === other.letters) return { ...one, variableScheme };
  return { part: 'unclear', letters: '', variableScheme };
}

/** `{{url}}&amp;a=b` is common; any other entity could be a colon, or hide one. */
function afterAmpersand(url: UrlProgress, char: string): UrlProgress {
  if (char === '=' || char === '/') return { ...URL_BEGINS, part: 'query' };
  if (char === '#' || char === ':') return VARIABLE_SCHEME;
  if (char === ';') return url.letters === 'amp' ? { ...url, letters: '' } : VARIABLE_SCHEME;
  return { ...url, letters: url.letters + char };
}

function afterBeginning(url: UrlProgress, char: string): UrlProgress {
  // Browsers skip spaces and controls before a URL, and tabs and line breaks anywhere in it.
  if (url.part === 'start' ? char <= ' ' : /[\t\r\n]/.test(char)) return url;
  if (char === '&') return { ...URL_BEGINS, part: 'unclear' };
  if (char === '?' || char === '#') return { ...URL_BEGINS, part: 'query' };
  if (url.part === 'scheme' && char === ':') {
    return { ...URL_BEGINS, part: LITERAL_SCHEMES.has(url.letters) ? 'path' : 'unclear' };
  }
  const goesOn = url.part === 'start' ? /[a-z]/i.test(char) : SCHEME_LETTERS.test(char);
  return goesOn
    ? { ...url, part: 'scheme', letters: url.letters + char.toLowerCase() }
    : { ...URL_BEGINS, part: 'path' };
}
