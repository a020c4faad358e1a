import { escapeHtml, plainPage } from '../../platform/http/pages/plain-page.ts';
import type { Asked } from './confirmation.ts';

/** The page that a confirmation leads to; the words agreed to go back with the button, in case they change meanwhile. */
export function confirmPage({ list, text, textId, state }: Asked, sender: string): (nonce: string) => string {
  const name = `<b>${escapeHtml(list)}</b> of <b>${escapeHtml(sender)}</b>`;
  const words = text === null ? '' : `<blockquote>${escapeHtml(text)}</blockquote>`;
  if (state === 'off') {
    return (nonce) => plainPage(nonce, 'Nothing to confirm', `<p>You are not on the list ${name}.</p>`);
  }
  if (state === 'on') {
    return (nonce) => plainPage(nonce, 'You are on the list', `<p>You have joined the list ${name}.</p>${words}`);
  }
  if (state === 'spent') {
    const before = `<p>You have confirmed the list ${name} before.</p>`;
    return (nonce) =>
      plainPage(nonce, 'This link is spent', `${before}<p>To join it again, confirm by the newest mail.</p>`);
  }
  const form = `<form method="post"><input type="hidden" name="text" value="${textId ?? ''}">
    <button type="submit">Yes, put me on the list</button></form>`;
  return (nonce) => plainPage(nonce, 'Please confirm', `<p>Do you want to be on the list ${name}?</p>${words}${form}`);
}
