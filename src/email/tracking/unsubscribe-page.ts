import { escapeHtml, plainPage } from '../../platform/http/pages/plain-page.ts';

/** Asks before anything happens: mail filters open every link. */
export function askPage(nonce: string): string {
  return plainPage(
    nonce,
    'Unsubscribe',
    `<p>This tells the sender that you want no more mail of this kind.</p>
     <form method="post"><button type="submit">Unsubscribe</button></form>`,
  );
}

/** Confirms, and leads on to the sender's own page where there is one. */
export function donePage(unsubscribeUrl: string | null): (nonce: string) => string {
  const onward =
    unsubscribeUrl === null
      ? ''
      : `<p><a href="${escapeHtml(unsubscribeUrl)}" rel="noreferrer">Go on to the sender’s own page</a></p>`;
  return (nonce) =>
    plainPage(nonce, 'You are unsubscribed', `<p>The sender sees it in the records of this message.</p>${onward}`);
}

/** For links that this installation did not make, or whose message is no longer known. */
export function unknownPage(nonce: string): string {
  return plainPage(nonce, 'This link is not valid', '<p>It may be incomplete, or too old.</p>');
}
