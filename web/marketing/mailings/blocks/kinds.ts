import {
  Columns2,
  Columns3,
  Footprints,
  Heading,
  Image,
  type LucideIcon,
  Minus,
  MousePointerClick,
  MoveVertical,
  Share2,
  Text,
} from 'lucide-react';
import type { Block, SimpleBlock } from '../../../../src/marketing/mailings/content/blocks.ts';
import { words } from '../../../words/blocks.ts';
import { type Item, itemsOf } from './items.ts';

export type Kind = Exclude<SimpleBlock['type'], 'text'> | 'columns2' | 'columns3';

/** The kinds of blocks in the order in which they are offered. */
export const KINDS: readonly Kind[] = [
  'heading',
  'rich_text',
  'button',
  'image',
  'columns2',
  'columns3',
  'divider',
  'spacer',
  'social',
  'footer',
];

export const ICONS: Record<Kind, LucideIcon> = {
  heading: Heading,
  rich_text: Text,
  button: MousePointerClick,
  image: Image,
  columns2: Columns2,
  columns3: Columns3,
  divider: Minus,
  spacer: MoveVertical,
  social: Share2,
  footer: Footprints,
};

const paragraph = (text: string): SimpleBlock => ({
  type: 'rich_text',
  parts: [{ type: 'paragraph', lines: [[{ text }]] }],
});

const footerOf = (clinic: string): SimpleBlock => ({
  type: 'footer',
  text: words.sample.footerOf(clinic),
  unsubscribe: words.sample.unsubscribe,
});

const NEW: Record<Kind, () => Block> = {
  heading: () => ({ type: 'heading', text: words.sample.heading }),
  rich_text: () => paragraph(words.sample.text),
  button: () => ({ type: 'button', label: words.sample.button, url: words.sample.url, align: 'center' }),
  image: () => ({ type: 'image', url: words.sample.picture, alt: words.sample.alt }),
  columns2: () => ({ type: 'columns', columns: [[paragraph(words.sample.text)], [paragraph(words.sample.text)]] }),
  columns3: () => ({
    type: 'columns',
    columns: [[paragraph(words.sample.text)], [paragraph(words.sample.text)], [paragraph(words.sample.text)]],
  }),
  divider: () => ({ type: 'divider' }),
  spacer: () => ({ type: 'spacer', height: 20 }),
  social: () => ({ type: 'social', links: [{ label: words.sample.website, url: words.sample.url }] }),
  footer: () => footerOf(words.sample.clinic),
};

/** A new block with something in it, so that it can be seen at once. */
export function newItem(kind: Kind): Item {
  return itemsOf([NEW[kind]()])[0] as Item;
}

/** What a mailing begins with. */
export function firstBlocks(clinic: string): Block[] {
  return [
    { type: 'heading', text: words.sample.heading },
    paragraph(words.sample.hello),
    paragraph(words.sample.text),
    NEW.button(),
    footerOf(clinic),
  ];
}

/** Of which kind a block is. */
export function kindOf(item: Item): Kind {
  if ('columns' in item) return item.columns.length === 2 ? 'columns2' : 'columns3';
  return item.block.type === 'text' ? 'rich_text' : item.block.type;
}

/** What a block says, in a line. */
export function summaryOf(item: Item): string {
  if ('columns' in item) return item.columns.map((column) => words.blocks(column.length)).join(' · ');
  const { block } = item;
  switch (block.type) {
    case 'heading':
    case 'text':
    case 'footer':
      return block.text;
    case 'rich_text':
      return block.parts.flatMap(({ lines }) => lines.flat().map(({ text }) => text)).join(' ');
    case 'button':
      return block.label;
    case 'image':
      return block.alt;
    case 'social':
      return block.links.map(({ label }) => label).join(' · ');
    case 'divider':
    case 'spacer':
  }
  return '';
}
