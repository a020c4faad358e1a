import type { JSONContent } from '@tiptap/react';
import type { TextPart, TextRun } from '../../../../src/marketing/mailings/content/blocks.ts';

/** The parts of a text as the editor's document. */
export function documentOf(parts: readonly TextPart[]): JSONContent {
  return { type: 'doc', content: parts.map(nodeOf) };
}

/** The editor's document as the parts of a text. */
export function partsOf(document: JSONContent): TextPart[] {
  const parts = (document.content ?? []).map(partOf);
  return parts.length === 0 ? [{ type: 'paragraph', lines: [[]] }] : parts;
}

function nodeOf({ type, lines }: TextPart): JSONContent {
  if (type === 'paragraph') {
    const content = lines.flatMap((runs, at) => [...(at === 0 ? [] : [{ type: 'hardBreak' }]), ...runs.map(textOf)]);
    return { type: 'paragraph', content };
  }
  const points = lines.map((runs) => ({
    type: 'listItem',
    content: [{ type: 'paragraph', content: runs.map(textOf) }],
  }));
  return { type: type === 'bullets' ? 'bulletList' : 'orderedList', content: points };
}

function textOf({ text, bold, italic, link }: TextRun): JSONContent {
  const marks = [
    ...(link === undefined ? [] : [{ type: 'link', attrs: { href: link } }]),
    ...(bold === true ? [{ type: 'bold' }] : []),
    ...(italic === true ? [{ type: 'italic' }] : []),
  ];
  return { type: 'text', text, ...(marks.length === 0 ? {} : { marks }) };
}

function partOf(node: JSONContent): TextPart {
  if (node.type !== 'bulletList' && node.type !== 'orderedList') return { type: 'paragraph', lines: linesOf(node) };
  const lines = (node.content ?? []).flatMap(pointsOf);
  return { type: node.type === 'bulletList' ? 'bullets' : 'numbers', lines };
}

/** The points of a list item; those of a list within it follow it. */
function pointsOf({ content = [] }: JSONContent): TextRun[][] {
  return content.flatMap((node) =>
    node.type === 'paragraph' ? [linesOf(node).flat()] : (node.content ?? []).flatMap(pointsOf),
  );
}

function linesOf({ content = [] }: JSONContent): TextRun[][] {
  const lines: TextRun[][] = [[]];
  for (const node of content) {
    if (node.type === 'hardBreak') lines.push([]);
    else if (node.text !== undefined && node.text !== '') lines.at(-1)?.push(runOf(node));
  }
  return lines;
}

function runOf({ text = '', marks = [] }: JSONContent): TextRun {
  const link = marks.find(({ type }) => type === 'link')?.attrs?.href as string | undefined;
  return {
    text,
    ...(marks.some(({ type }) => type === 'bold') ? { bold: true } : {}),
    ...(marks.some(({ type }) => type === 'italic') ? { italic: true } : {}),
    ...(link === undefined ? {} : { link }),
  };
}
