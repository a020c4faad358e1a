import { afterText, afterValue, HTML_BEGINS, type HtmlState } from './html-places.ts';
import { findMustaches } from './scan.ts';

const IN_VALUES = new Set(['before value', 'double-quoted', 'single-quoted', 'unquoted', 'raw text']);

/**
 * Overwrites every mustache of HTML with as many characters that mean nothing there, so that other readers of HTML
 * find the same tags at the same offsets.
 */
export function maskMustaches(html: string): string {
  let masked = '';
  let done = 0;
  let state: HtmlState = HTML_BEGINS;
  for (const { from, to } of findMustaches(html)) {
    const text = html.slice(done, from);
    state = afterText(state, text);
    const isInValue = IN_VALUES.has(state.standing.at);
    masked += text + (isInValue ? 'x' : ' ').repeat(to - from);
    if (isInValue) state = afterValue(state);
    done = to;
  }
  return masked + html.slice(done);
}
