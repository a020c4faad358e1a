import type { Template } from '../../../email/index.ts';
import { putLast } from './body-edges.ts';
import { UNSUBSCRIBE_URL } from './reserved-names.ts';

const STYLE = 'padding:24px 16px;font-family:Helvetica,Arial,sans-serif;font-size:12px;text-align:center;color:#666666';
const FOOTER = `<div style="${STYLE}"><a href="{{${UNSUBSCRIBE_URL}}}" style="color:#666666">Unsubscribe</a></div>`;

/** Whether every reader is shown how to unsubscribe: in no block that may be left out, and where it can be seen. */
export function showsWayOut({ nodes }: Template): boolean {
  return nodes.some((node) => {
    if (node.kind !== 'value' || node.of.name !== UNSUBSCRIBE_URL) return false;
    const { place } = node;
    return place.at === 'plain' || place.at === 'text' || ('url' in place && place.url === 'start');
  });
}

/** Puts the way out behind everything else. */
export function addFooterToHtml(html: string): string {
  return putLast(html, FOOTER);
}

/** Puts the way out behind everything else. */
export function addFooterToText(text: string): string {
  return `${text.trimEnd()}\n\nUnsubscribe: {{${UNSUBSCRIBE_URL}}}\n`;
}
