import { putFirst } from './body-edges.ts';
import { escapeAroundMustaches } from './escape-around.ts';

const HIDDEN =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
/** Characters without width, as many as a preview shows, so that nothing of the body comes up behind. */
const SPACER = '&#847;&zwnj;&nbsp;'.repeat(100);

/** Puts first what mail programs show beside the subject; the body itself stays out of the preview. */
export function addPreheader(html: string, preheader: string): string {
  return putFirst(html, `<div style="${HIDDEN}">${escapeAroundMustaches(preheader)}${SPACER}</div>`);
}

/** Whether the body stays out of the preview. */
export function hidesBody(html: string): boolean {
  return html.includes(SPACER);
}
