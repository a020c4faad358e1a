import { escapeHtml } from '../../../platform/http/pages/plain-page.ts';
import type { Letter, LetterFile } from '../open-letter.ts';
import { LONGEST_REPLY } from '../rules.ts';
import { safeHtml } from '../safe-html.ts';
import { dayInWords, momentInWords } from './dates.ts';
import { type Page, page } from './shell.ts';

// A wide letter is scrolled within its frame, also by keyboard (WCAG 2.1.1).
const REGION = ' role="region" aria-label="Message" tabindex="0"';

/** The message itself, its attachments and a box for the reply. */
export function letterPage(token: string, letter: Letter): Page {
  const { from, subject, sentAt, until, files, takesReplies } = letter;
  const sender = from.name === null ? from.address : `${from.name} <${from.address}>`;
  return page(
    subject === '' ? '(no subject)' : subject,
    `<dl><dt>From:</dt><dd>${escapeHtml(sender)}</dd>
<dt>Sent:</dt><dd>${momentInWords(sentAt)}</dd>
<dt>Here until:</dt><dd>${dayInWords(until)}</dd></dl>
${writing(token, letter)}
${files.length === 0 ? '' : `<h2>Attachments</h2><ul>${files.map((file, place) => item(token, file, place)).join('')}</ul>`}
${takesReplies ? replyForm(token) : ''}`,
  );
}

function writing(token: string, { text, html, files }: Letter): string {
  if (html === null) return `<div class="letter plain"${REGION}>${escapeHtml(text ?? '')}</div>`;
  const places = new Map(files.map(({ contentId }, place) => [contentId, place] as const).toReversed()); // the first counts
  const pictureOf = (contentId: string) => {
    const place = places.get(contentId);
    return place === undefined ? null : `/pickup/${token}/files/${place}`;
  };
  const safe = safeHtml(html, pictureOf);
  const note = safe.picturesLeftOut ? '<p class="hint">Pictures on other servers are not shown.</p>' : '';
  return `<div class="letter"${REGION}>${safe.html}</div>${note}`;
}

function item(token: string, { fileName, size }: LetterFile, place: number): string {
  return `<li><a href="/pickup/${token}/files/${place}" download>${escapeHtml(fileName)}</a> (${sizeInWords(size)})</li>`;
}

function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The box in which a recipient answers. */
export function replyForm(token: string, problem?: string): string {
  const said = problem === undefined ? '' : `<p class="error" role="alert" id="problem">${escapeHtml(problem)}</p>`;
  const wrong = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
  return `<form method="post" action="/pickup/${token}/reply">
<h2>Reply</h2>
${said}
<label for="reply">Your reply, up to ${LONGEST_REPLY.toLocaleString('en')} characters</label>
<textarea id="reply" name="reply" maxlength="${LONGEST_REPLY}" required${wrong}></textarea>
<button>Send the reply</button>
</form>`;
}
