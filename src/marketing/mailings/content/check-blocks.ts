import type { Block, SimpleBlock } from './blocks.ts';
import { escapeAroundMustaches } from './escape-around.ts';
import { ContentMistake, inPart } from './mistake.ts';
import { simpleBlocks } from './read-blocks.ts';

const LINK = /^\s*(https?:\/\/|mailto:|tel:|\{\{)/i;
const PICTURE = /^\s*(https?:\/\/|\{\{)/i;

/** Checks each text of the blocks as a template of its own, so that a mistake is told by its block. */
export function checkBlocks(blocks: readonly Block[], checkHtml: (part: string, html: string) => void): void {
  for (const { block, place } of simpleBlocks(blocks)) {
    for (const [field, text] of Object.entries(block)) {
      if (field === 'type') continue;
      const part = `${place}.${field}`;
      if (field === 'url') checkUrl(block, part, text);
      const html = inPart(part, () => asHtml(block, field, text));
      checkHtml(part, html);
    }
  }
}

function checkUrl({ type }: SimpleBlock, part: string, url: string): void {
  if ((type === 'image' ? PICTURE : LINK).test(url)) return;
  const schemes = type === 'image' ? 'https:// or http://' : 'https://, http://, mailto: or tel:';
  throw new ContentMistake(part, null, `must begin with ${schemes}, or with a mustache`);
}

/** The text where it will stand in the HTML. */
function asHtml(block: SimpleBlock, field: string, text: string): string {
  const escaped = escapeAroundMustaches(text);
  if (field === 'url') return `<a href="${escaped}">`;
  return block.type === 'image' ? `<img alt="${escaped}">` : escaped;
}
