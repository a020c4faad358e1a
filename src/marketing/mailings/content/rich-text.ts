import type { TextPart, TextRun } from './blocks.ts';
import { escapeAroundMustaches } from './escape-around.ts';

const SPACE = 'margin:0 0 12px';
const LISTS = { bullets: 'ul', numbers: 'ol' } as const;

/** Writes paragraphs and lists as HTML. */
export function richTextToHtml(parts: readonly TextPart[]): string {
  return parts.map(partToHtml).join('\n');
}

/** Writes one line of text with its emphasis and links as HTML. */
export function lineToHtml(runs: readonly TextRun[]): string {
  return runs.map(runToHtml).join('');
}

function partToHtml({ type, lines }: TextPart): string {
  if (type === 'paragraph') return `<p style="${SPACE}">${lines.map(lineToHtml).join('<br/>\n')}</p>`;
  const points = lines.map((runs) => `<li style="margin:0 0 4px">${lineToHtml(runs)}</li>`);
  return `<${LISTS[type]} style="${SPACE};padding-left:24px">${points.join('')}</${LISTS[type]}>`;
}

function runToHtml({ text, bold, italic, link }: TextRun): string {
  let html = escapeAroundMustaches(text);
  if (italic === true) html = `<em>${html}</em>`;
  if (bold === true) html = `<strong>${html}</strong>`;
  return link === undefined ? html : `<a href="${escapeAroundMustaches(link)}">${html}</a>`;
}
