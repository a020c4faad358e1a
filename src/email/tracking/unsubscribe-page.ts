const STYLE = `
  body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; color: #1b2733 }
  button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem; background: #0b5cad; color: #fff }
  button:focus-visible, a:focus-visible { outline: 3px solid #f2a900; outline-offset: 2px }`;

/** Asks before anything happens: mail filters open every link. */
export function askPage(nonce: string): string {
  return page(
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
      : `<p><a href="${escape(unsubscribeUrl)}" rel="noreferrer">Go on to the sender’s own page</a></p>`;
  return (nonce) =>
    page(nonce, 'You are unsubscribed', `<p>The sender sees it in the records of this message.</p>${onward}`);
}

/** For links that this installation did not make, or whose message is no longer known. */
export function unknownPage(nonce: string): string {
  return page(nonce, 'This link is not valid', '<p>It may be incomplete, or too old.</p>');
}

function page(nonce: string, title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
    <style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
