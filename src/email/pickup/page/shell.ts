import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../../platform/http/pages/plain-page.ts';

export type Page = (nonce: string) => string;

const STYLE = `
  body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #1b2733;
    background: #fff }
  h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
  h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
  h1, p, dd, li, .letter { overflow-wrap: anywhere }
  a:link, a:visited { color: #0b5cad }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #0b5cad; color: #fff }
  button.quiet { background: #fff; color: #0b5cad; box-shadow: inset 0 0 0 2px #0b5cad }
  label { display: block; font-weight: 600; margin: 1rem 0 .3rem }
  input, textarea { font: inherit; box-sizing: border-box; padding: .5rem; border: 1px solid #5b6b7a; border-radius: .4rem;
    max-width: 100% }
  input { width: 12rem; letter-spacing: .1em; margin: 0 .6rem .6rem 0 }
  textarea { display: block; width: 100%; min-height: 8rem; margin: 0 0 .6rem }
  dl { margin: 0 0 1.5rem }
  dt { font-weight: 600; float: left; clear: left; margin-right: .4rem }
  dd { margin: 0 }
  .letter { border: 1px solid #c3ccd4; border-radius: .4rem; padding: 1rem; overflow: auto }
  .letter.plain { white-space: pre-wrap }
  .letter img { max-width: 100%; height: auto }
  .hint { color: #44525f }
  .error { color: #a11212; font-weight: 600 }
  :focus-visible { outline: 3px solid #b35c00; outline-offset: 2px }`;

/** A page of the pickup: readable on anything, and without script. The body is HTML. */
export function page(title: string, body: string): Page {
  return (nonce) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>`;
}

/**
 * Sends a page. No script runs on it whatever it holds, it loads nothing but its own pictures, and its forms lead
 * nowhere else. Styles of a message stand in attributes.
 */
export function sendPickupPage(reply: FastifyReply, made: Page): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply.header('content-security-policy', policy.join('; ')).type('text/html; charset=utf-8').send(made(nonce));
}
