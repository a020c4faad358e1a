import { maskMustaches } from '../../../email/index.ts';
import { findTags } from './start-tags.ts';

/** Puts something in front of everything that HTML shows. */
export function putFirst(html: string, piece: string): string {
  const { start } = bodyEdges(html);
  return html.slice(0, start) + piece + html.slice(start);
}

/** Puts something behind everything that HTML shows. */
export function putLast(html: string, piece: string): string {
  const { end } = bodyEdges(html);
  return html.slice(0, end) + piece + html.slice(end);
}

/** Where the body begins and ends, which needs no tags of its own. */
function bodyEdges(html: string): { start: number; end: number } {
  const masked = maskMustaches(html);
  const { startTags, endTags } = findTags(masked);
  const endOf = (name: string) => startTags.find((tag) => tag.name === name)?.end;
  const headEnd = endTags.find((tag) => tag.name === 'head')?.start;
  const doctype = /^\s*<!doctype[^>]*>/i.exec(masked)?.[0].length ?? 0;
  const start = endOf('body') ?? (headEnd === undefined ? endOf('html') : masked.indexOf('>', headEnd) + 1) ?? doctype;
  const end = endTags.findLast(({ name }) => name === 'body') ?? endTags.findLast(({ name }) => name === 'html');
  return { start, end: end?.start ?? html.length };
}
