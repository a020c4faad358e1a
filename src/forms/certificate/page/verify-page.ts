import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../platform/http/pages/plain-page.ts';

const STYLE = `
  body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #1b2733;
    background: #fff }
  h1 { font-size: 1.5rem; line-height: 1.25 }
  h2 { font-size: 1.2rem; margin: 0 0 .5rem }
  p { overflow-wrap: anywhere; margin: .5rem 0 }
  label { display: block; font-weight: 600; margin: 1rem 0 .3rem }
  input { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid #5b6b7a; border-radius: .4rem }
  #verdict:not(:empty) { margin: 1.5rem 0; padding: 1rem; border-left: .5rem solid #5b6b7a; background: #f3f5f7 }
  #verdict.good { border-color: #1a7f37 }
  #verdict.open { border-color: #b35c00 }
  #verdict.bad { border-color: #a11212 }
  .hint { color: #44525f }
  :focus-visible { outline: 3px solid #b35c00; outline-offset: 2px }`;

/** A page that checks certificates by itself, and what it may do: run its own script, and reach nothing. */
export interface VerifyPage {
  html: string;
  policy: string;
}

/** The page with the script in it. Its policy stands in it too, so that a saved copy keeps to it. */
export function verifyPage(script: string, fingerprints: string[]): VerifyPage {
  const inside = [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(STYLE)}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${inside}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Check a certificate</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Check a certificate</h1>
<p>Choose a certificate (PDF). It is checked in this browser and sent nowhere; this page can be saved and works without a
network.</p>
<noscript><p>This page needs JavaScript. Without it, <code>carepost verify FILE</code> does the same.</p></noscript>
<label for="file">Certificate</label>
<input id="file" type="file" accept="application/pdf,.pdf">
<label for="key">Fingerprint of the key that it must be sealed with</label>
<input id="key" value="${escapeHtml(fingerprints.join(', '))}" autocomplete="off" spellcheck="false" aria-describedby="key-hint">
<p class="hint" id="key-hint">${fingerprints.length === 1 ? 'This is the key' : 'These are the keys, the present one first,'} of the
installation that this page came from. Where it matters, get the fingerprint from the clinic by another way and compare.</p>
<div id="verdict" role="status"></div>
</main>
<script>${script}</script>
</body>
</html>
`;
  return { html, policy: `${inside}; frame-ancestors 'none'` };
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
