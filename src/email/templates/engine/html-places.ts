import { LONGEST_ATTRIBUTE, STANDING_IN_TEXT, type Standing, step } from './html-states.ts';
import type { Place } from './tree.ts';
import { afterUrlValue, beginsToLeadOut, isUrlAttribute, joinedUrl, urlPartOf } from './url-part.ts';

/** Where in the HTML a template stands at a point between its parts. */
export interface HtmlState {
  readonly standing: Readonly<Standing>;
  /** The rule that the text so far breaks, if any. */
  readonly fault: string | null;
  /** Whether a URL that leads out began in the text before. */
  readonly leadsOut: boolean;
}

export const HTML_BEGINS: HtmlState = { standing: STANDING_IN_TEXT, fault: null, leadsOut: false };

const REFUSED_ATTRIBUTES = /^(style|srcset|imagesrcset|srcdoc|ping|attributename|on.*|xmlns.*)$/;
const LISTS_OF_URLS = /^(srcset|imagesrcset|ping|srcdoc)$/;
// What these load, run or redirect to is decided by their attributes, whichever scheme a URL has.
const REFUSED_ELEMENTS =
  /^(script|style|link|base|object|embed|applet|iframe|frame|meta|param|svg|math|animate.*|set|portal|fencedframe)$/;

/** The state after literal text of the template. */
export function afterText(state: HtmlState, text: string): HtmlState {
  const standing: Standing = { ...state.standing };
  let variableScheme = false;
  let leadsOut = false;
  for (const char of text) {
    const { url } = standing;
    step(standing, char);
    variableScheme ||= standing.url.variableScheme;
    leadsOut ||= LISTS_OF_URLS.test(standing.attribute) || beginsToLeadOut(url, standing.url);
  }
  const fault = variableScheme ? 'a variable cannot be part of the scheme of a URL' : null;
  return { standing, fault, leadsOut };
}

/** The state after a value, of which only its place is known. */
export function afterValue({ standing }: HtmlState): HtmlState {
  const at = standing.at === 'before value' ? 'unquoted' : standing.at;
  const url = isUrlAttribute(standing.attribute) ? afterUrlValue(standing.url) : standing.url;
  return { standing: { ...standing, at, url }, fault: null, leadsOut: false };
}

/** The state after either of two branches, or null where they end in different places. */
export function joined(one: HtmlState, other: HtmlState): HtmlState | null {
  const [a, b] = [one.standing, other.standing];
  const fields = ['at', 'element', 'isEndTag', 'attribute', 'recent', 'foreign'] as const;
  if (fields.some((field) => a[field] !== b[field])) return null;
  return { standing: { ...a, url: joinedUrl(a.url, b.url) }, fault: null, leadsOut: false };
}

/** Where a value would stand, or the rule that forbids one there. */
export function placeIn({ standing }: HtmlState): Place | string {
  const { at, element, foreign } = standing;
  if (foreign !== '') return 'variables are not supported inside svg and math';
  if (at === 'text') return { at: 'text' };
  if (at === 'raw text') {
    if (element !== 'title' && element !== 'textarea') return `variables are not supported inside ${element}`;
    return standing.recent === '' ? { at: 'rcdata' } : 'a variable cannot be part of a tag';
  }
  if (at === 'comment') return 'variables are not supported inside HTML comments';
  if (at === 'declaration' || at === 'declaration open') return 'variables are not supported inside declarations';
  if (at === 'double-quoted' || at === 'single-quoted' || at === 'unquoted' || at === 'before value') {
    return placeInAttribute(standing);
  }
  return 'a variable cannot be the name of a tag or of an attribute';
}

function placeInAttribute({ at, element, isEndTag, attribute, url }: Standing): Place | string {
  if (isEndTag) return 'variables are not supported inside end tags';
  if (REFUSED_ELEMENTS.test(element)) return 'variables are not supported in the attributes of this element';
  // What is cut off could be the end of such a name as `xlink:href`.
  const isCut = attribute.length > LONGEST_ATTRIBUTE;
  if (isCut || REFUSED_ATTRIBUTES.test(attribute)) return 'variables are not supported in this attribute';
  const part = isUrlAttribute(attribute) ? urlPartOf(url) : null;
  if (part !== null && typeof part === 'object') return part.rule;
  if (at === 'double-quoted' || at === 'single-quoted') return { at: 'quoted', url: part };
  return { at: 'unquoted', url: part, first: at === 'before value' };
}
