const STYLE = `
  body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; color: #1b2733 }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #0b5cad; color: #fff;
    margin: 0 .6rem .6rem 0 }
  button.quiet { background: #fff; color: #0b5cad; box-shadow: inset 0 0 0 2px #0b5cad }
  fieldset { border: 1px solid #5b6b7a; border-radius: .4rem; margin: 0 0 1.2rem; padding: .6rem 1.2rem }
  label { display: block; padding: .4rem 0 }
  input { width: 1.2rem; height: 1.2rem; margin: 0 .6rem 0 0; vertical-align: -.2rem }
  blockquote { margin: 1.2rem 0; padding: 0 1.2rem; border-left: 4px solid #5b6b7a; white-space: pre-line }
  p, blockquote, label, h1 { overflow-wrap: anywhere }
  button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid #f2a900; outline-offset: 2px }`;

/** A page for people who came by a link: readable on anything, and without script. The body is HTML. */
export function plainPage(nonce: string, title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
    <meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
    <style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
}

/** Text as it stands in HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
