import type { Block, SimpleBlock, TextPart } from './blocks.ts';
import { escapeAroundMustaches } from './escape-around.ts';
import { ContentMistake, inPart } from './mistake.ts';
import { simpleBlocks } from './read-blocks.ts';
import { lineToHtml } from './rich-text.ts';

const LINK = /^\s*(https?:\/\/|mailto:|tel:|\{\{)/i;
const PICTURE = /^\s*(https?:\/\/|\{\{)/i;

/** One text of a block, where it will stand in the HTML. */
interface Piece {
  /** Where it stands in the block. */
  field: string;
  /** Set where it is a URL. */
  url?: { leads: 'link' | 'picture'; given: string };
  html(): string;
}

/** Checks each text of the blocks as a template of its own, so that a mistake is told by its block. */
export function checkBlocks(blocks: readonly Block[], checkHtml: (part: string, html: string) => void): void {
  for (const { block, place } of simpleBlocks(blocks)) {
    for (const { field, url: address, html } of piecesOf(block)) {
      const part = `${place}.${field}`;
      if (address !== undefined) checkUrl(part, address);
      checkHtml(part, inPart(part, html));
    }
  }
}

function checkUrl(part: string, { leads, given }: NonNullable<Piece['url']>): void {
  if ((leads === 'picture' ? PICTURE : LINK).test(given)) return;
  const schemes = leads === 'picture' ? 'https:// or http://' : 'https://, http://, mailto: or tel:';
  throw new ContentMistake(part, null, `must begin with ${schemes}, or with a mustache`);
}

function piecesOf(block: SimpleBlock): Piece[] {
  switch (block.type) {
    case 'heading':
    case 'text':
      return [words('text', block.text)];
    case 'rich_text':
      return block.parts.flatMap(({ lines }, at) =>
        lines.flatMap((runs, line) => ofLine(runs, `parts[${at}].lines[${line}]`)),
      );
    case 'button':
      return [words('label', block.label), url('url', block.url)];
    case 'image':
      return [
        url('url', block.url, 'picture'),
        { field: 'alt', html: () => `<img alt="${escapeAroundMustaches(block.alt)}">` },
        ...(block.link === undefined ? [] : [url('link', block.link)]),
      ];
    case 'social':
      return block.links.flatMap((link, at) => [
        words(`links[${at}].label`, link.label),
        url(`links[${at}].url`, link.url),
      ]);
    case 'footer':
      return [words('text', block.text), words('unsubscribe', block.unsubscribe)];
    case 'divider':
    case 'spacer':
  }
  return [];
}

function ofLine(runs: TextPart['lines'][number], field: string): Piece[] {
  const links = runs.flatMap(({ link }, at) => (link === undefined ? [] : [url(`${field}[${at}].link`, link)]));
  return [...links, { field, html: () => lineToHtml(runs) }];
}

function words(field: string, text: string): Piece {
  return { field, html: () => escapeAroundMustaches(text) };
}

function url(field: string, given: string, leads: 'link' | 'picture' = 'link'): Piece {
  return { field, url: { leads, given }, html: () => `<a href="${escapeAroundMustaches(given)}">` };
}
