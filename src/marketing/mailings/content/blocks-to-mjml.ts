import type { Block, SimpleBlock } from './blocks.ts';
import { escapeAroundMustaches } from './escape-around.ts';
import { UNSUBSCRIBE_URL } from './reserved-names.ts';
import { richTextToHtml } from './rich-text.ts';

const FONTS = 'Helvetica, Arial, sans-serif';
const GREY = '#666666';
const BUTTON_COLOUR = '#0b6557';
const HEADING_PX = { 1: 24, 2: 20, 3: 17 } as const;

/** Writes blocks as MJML. */
export function blocksToMjml(blocks: readonly Block[]): string {
  const sections = blocks.map((block) =>
    block.type === 'columns'
      ? section(block.columns.map((column) => column.map(written)))
      : section([[written(block)]]),
  );
  return `<mjml><mj-head><mj-attributes><mj-all font-family="${FONTS}"/><mj-text font-size="16px" line-height="1.5"/>\
<mj-section padding="0"/></mj-attributes></mj-head><mj-body>${sections.join('\n')}</mj-body></mjml>`;
}

function section(columns: readonly (readonly string[])[]): string {
  const inside = columns.map((column) => `<mj-column>${column.join('\n')}</mj-column>`);
  return `<mj-section>${inside.join('')}</mj-section>`;
}

function written(block: SimpleBlock): string {
  switch (block.type) {
    case 'heading':
      return heading(block);
    case 'text':
      return `<mj-text>${lines(block.text)}</mj-text>`;
    case 'rich_text':
      return `<mj-text${aligned(block)}>${richTextToHtml(block.parts)}</mj-text>`;
    case 'button':
      return button(block);
    case 'image':
      return image(block);
    case 'divider':
      return '<mj-divider border-width="1px" border-color="#cccccc"/>';
    case 'spacer':
      return `<mj-spacer${block.height === undefined ? '' : ` height="${block.height}px"`}/>`;
    case 'social':
      return social(block);
    case 'footer':
  }
  return footer(block);
}

type Of<T extends SimpleBlock['type']> = Extract<SimpleBlock, { type: T }>;

function heading(block: Of<'heading'>): string {
  const level = (block.level ?? 1) as keyof typeof HEADING_PX;
  const px = HEADING_PX[level];
  const text = `<h${level} style="margin:0;font-size:${px}px">${lines(block.text)}</h${level}>`;
  return `<mj-text font-size="${px}px" line-height="1.25"${aligned(block)}>${text}</mj-text>`;
}

function button(block: Of<'button'>): string {
  const { url, label, colour = BUTTON_COLOUR } = block;
  const look = `background-color="${colour}" color="${readableOn(colour)}" font-size="16px" border-radius="4px"`;
  return `<mj-button href="${escapeAroundMustaches(url)}" ${look}${aligned(block)}>${lines(label)}</mj-button>`;
}

function image(block: Of<'image'>): string {
  const { url, alt, link, width } = block;
  const leads = link === undefined ? '' : ` href="${escapeAroundMustaches(link)}"`;
  const wide = width === undefined ? '' : ` width="${width}px"`;
  const shown = `src="${escapeAroundMustaches(url)}" alt="${escapeAroundMustaches(alt)}"`;
  return `<mj-image ${shown}${leads}${wide}${aligned(block)}/>`;
}

function social(block: Of<'social'>): string {
  const links = block.links.map(({ label, url }) => `<a href="${escapeAroundMustaches(url)}">${lines(label)}</a>`);
  return `<mj-text align="${block.align ?? 'center'}" font-size="14px">${links.join(' &#183; ')}</mj-text>`;
}

function footer({ text, unsubscribe }: Of<'footer'>): string {
  const wayOut = `<a href="{{${UNSUBSCRIBE_URL}}}" style="color:${GREY}">${lines(unsubscribe)}</a>`;
  return `<mj-text align="center" font-size="12px" color="${GREY}">${lines(text)}<br/>\n${wayOut}</mj-text>`;
}

function aligned({ align }: { align?: string }): string {
  return align === undefined ? '' : ` align="${align}"`;
}

/** Black or white, whichever stands out more on a colour. WCAG 2.2, relative luminance. */
function readableOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

function lines(text: string): string {
  return escapeAroundMustaches(text, '<br/>\n');
}
