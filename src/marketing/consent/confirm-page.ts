import { escapeHtml, plainPage } from '../../platform/http/pages/plain-page.ts';
import type { Asked } from './confirmation.ts';

type Page = (nonce: string) => string;

const SPENT = 'This link is spent';

/** The page that a confirmation leads to; the words agreed to go back with the button, in case they change meanwhile. */
export function confirmPage({ list, text, textId, state }: Asked, sender: string): Page {
  const name = nameOf(list, sender);
  const words = text === null ? '' : `<blockquote>${escapeHtml(text)}</blockquote>`;
  if (state === 'off') {
    return (nonce) => plainPage(nonce, 'Nothing to confirm', `<p>You are not on the list ${name}.</p>`);
  }
  if (state === 'on') {
    return (nonce) => plainPage(nonce, 'You are on the list', `<p>You have joined the list ${name}.</p>${words}`);
  }
  if (state === 'spent') {
    const before = `<p>You have confirmed the list ${name} before. To join it again, confirm by the newest mail.</p>`;
    const again = `<form method="post"><p>If this is the newest that you have, get another:</p>
      <button type="submit">Send me a new mail</button></form>`;
    return (nonce) => plainPage(nonce, SPENT, `${before}${again}`);
  }
  const form = `<form method="post"><input type="hidden" name="text" value="${textId ?? ''}">
    <button type="submit">Yes, put me on the list</button></form>`;
  return (nonce) => plainPage(nonce, 'Please confirm', `<p>Do you want to be on the list ${name}?</p>${words}${form}`);
}

/** What is said to those who come by a spent link and want another. */
export function askedAgainPage({ list }: Asked, sender: string): Page {
  const told = `<p>You get a new mail by which you can confirm the list ${nameOf(list, sender)}.</p>
    <p>None comes where such a mail was sent within the last day, which you can confirm by, or where mail to your address
    has been stopped.</p>`;
  return (nonce) => plainPage(nonce, SPENT, told);
}

function nameOf(list: string, sender: string): string {
  return `<b>${escapeHtml(list)}</b> of <b>${escapeHtml(sender)}</b>`;
}
