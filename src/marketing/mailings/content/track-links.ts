import { findLinks, maskMustaches } from '../../../email/index.ts';
import { putLast } from './body-edges.ts';
import { LINKS, PIXEL } from './reserved-names.ts';

const MOST_LINKS = 1_000;
const PIXEL_STYLE = 'display:block;width:1px;height:1px;border:0';

/** HTML whose links are variables, and where they lead, by their numbers. */
export interface Linked {
  html: string;
  targets: string[];
}

/** Makes the links of HTML variables of the sender's, except those that already depend on the reader. */
export function withLinkVariables(html: string): Linked {
  const masked = maskMustaches(html);
  const numbers = new Map<string, number>();
  let text = '';
  let done = 0;
  for (const { start, end, target } of findLinks(masked)) {
    const isStatic = !html.slice(start, end).includes('{{');
    if (!isStatic || (!numbers.has(target) && numbers.size === MOST_LINKS)) continue;
    const number = numbers.get(target) ?? numbers.size;
    numbers.set(target, number);
    text += `${html.slice(done, start)}href="{{@root.${LINKS}.[${number}]}}"`;
    done = end;
  }
  return { html: text + html.slice(done), targets: [...numbers.keys()] };
}

/** Adds the picture that tells when a mail is opened. */
export function withPixel(html: string): string {
  const picture = `<img src="{{@root.${PIXEL}}}" width="1" height="1" alt="" style="${PIXEL_STYLE}">`;
  // A backslash right before the mustache would make it text.
  return putLast(html, `\n{{#if @root.${PIXEL}}}${picture}{{/if}}`);
}
