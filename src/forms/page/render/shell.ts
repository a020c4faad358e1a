import { mainPart } from '../words/words-of.ts';
import { attributes, type Content, Html, html } from './html.ts';
import { STYLE } from './style.ts';

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

interface Document {
  language: string;
  nonce: string;
  title: string;
  /** Further style sheets, safe to stand in a style element. */
  css?: string;
  /** What else stands in the head. */
  head?: Content;
}

/** A whole document around its main part. */
export function documentOf({ language, nonce, title, css = '', head }: Document, main: Content): string {
  const whole = attributes({ lang: language, dir: RIGHT_TO_LEFT.has(mainPart(language)) ? 'rtl' : 'ltr' });
  return html`<!doctype html>
<html${whole}><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no"><link rel="icon" href="data:,">
<style nonce="${nonce}">${new Html(STYLE)}</style>${css !== '' && html`<style nonce="${nonce}">${new Html(css)}</style>`}
${head}</head><body><main>
${main}
</main></body></html>`.text;
}
