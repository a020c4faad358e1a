import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { maskMustaches } from '../../../email/index.ts';
import { inliningWork } from './inlining-work.ts';
import { ContentMistake } from './mistake.ts';
import { findStartTags, type StartTag } from './start-tags.ts';

const WASM = readFileSync(new URL(import.meta.resolve('@css-inline/css-inline-wasm/index_bg.wasm')));
await initWasm({ module_or_path: WASM });

/** About two seconds, for which everybody waits. A mail with 300 rules and 1,500 elements takes a tenth of it. */
const MOST_WORK = 500_000_000;
const MARK = 'data-carepost-tag';

/**
 * Writes the styles of `<style>` elements into the tags they apply to. The inliner reads HTML and writes it anew, which
 * mustaches would not survive; so it is shown a copy with numbered tags, and only the styles are taken from it.
 * A tag with a block among its attributes is left alone: what applies to it is known only when it is rendered.
 */
export function inlineStyles(html: string): string {
  if (!/<style\b/i.test(html)) return html;
  const masked = maskMustaches(html);
  if (inliningWork(masked) > MOST_WORK) throw new ContentMistake('html', null, 'has too many styles for its elements');
  const tags = findStartTags(masked);
  const styles = stylesByNumber(inline(numbered(masked, tags), INLINING));
  let styled = '';
  let done = 0;
  for (const [number, tag] of tags.entries()) {
    const style = styles.get(number);
    if (style === undefined || hasBlock(html, masked, tag)) continue;
    const { start, end } = tag.attributes.get('style') ?? { start: tag.nameEnd, end: tag.nameEnd };
    styled += `${html.slice(done, start)}${start === end ? ' ' : ''}style="${style}"`;
    done = end;
  }
  return styled + html.slice(done);
}

const INLINING = { keepStyleTags: true, keepLinkTags: true, loadRemoteStylesheets: false };

function numbered(html: string, tags: readonly StartTag[]): string {
  let text = '';
  let done = 0;
  for (const [number, { nameEnd }] of tags.entries()) {
    text += `${html.slice(done, nameEnd)} ${MARK}="${number}"`;
    done = nameEnd;
  }
  return text + html.slice(done);
}

/** The style attributes as the inliner wrote them, between double quotes. */
function stylesByNumber(html: string): Map<number, string> {
  const styles = new Map<number, string>();
  for (const { attributes } of findStartTags(html)) {
    const [mark, style] = [attributes.get(MARK), attributes.get('style')];
    if (mark !== undefined && style !== undefined) styles.set(Number(mark.value), style.value);
  }
  return styles;
}

function hasBlock(html: string, masked: string, { nameEnd, end, attributes }: StartTag): boolean {
  let at = nameEnd;
  for (const each of [...attributes.values(), { start: end, end }]) {
    if (html.slice(at, each.start) !== masked.slice(at, each.start)) return true;
    at = each.end;
  }
  return false;
}
