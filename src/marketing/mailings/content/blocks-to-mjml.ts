import type { Block, SimpleBlock } from './blocks.ts';
import { escapeAroundMustaches } from './escape-around.ts';

const FONTS = 'Helvetica, Arial, sans-serif';

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
      return `<mj-text font-size="24px" line-height="1.25"><h1 style="margin:0;font-size:24px">${lines(block.text)}</h1></mj-text>`;
    case 'text':
      return `<mj-text>${lines(block.text)}</mj-text>`;
    case 'button':
      return `<mj-button href="${escapeAroundMustaches(block.url)}">${lines(block.label)}</mj-button>`;
    case 'image':
      return `<mj-image src="${escapeAroundMustaches(block.url)}" alt="${escapeAroundMustaches(block.alt)}"/>`;
    case 'divider':
      return '<mj-divider border-width="1px" border-color="#cccccc"/>';
    case 'spacer':
  }
  return '<mj-spacer/>';
}

function lines(text: string): string {
  return escapeAroundMustaches(text, '<br/>\n');
}
