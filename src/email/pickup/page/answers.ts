import { SESSION_MINUTES } from '../rules.ts';
import { replyForm } from './letter.ts';
import { type Page, page } from './shell.ts';

/** For links that lead nowhere, for whatever reason. */
export const unknownPage: Page = page(
  'This link is not valid',
  '<p>It may be incomplete, or the time for this message is over. Ask the sender to send it again.</p>',
);

/** For whoever comes back after the session has ended. */
export function sessionOverPage(token: string): Page {
  return page(
    'Please show a new code',
    `<p>For your safety the message closes after ${SESSION_MINUTES} minutes. If you have just written a reply, go back and
copy it first.</p><p><a href="/pickup/${token}">Open the message again</a></p>`,
  );
}

export function repliedPage(token: string): Page {
  return page('Your reply was sent', `<p><a href="/pickup/${token}">Back to the message</a></p>`);
}

/** For a reply that cannot be sent as it is. */
export function replyRefusedPage(token: string, problem: string): Page {
  return page(
    'Your reply was not sent',
    `${replyForm(token, problem)}<p><a href="/pickup/${token}">Back to the message</a></p>`,
  );
}

/** For requests that were refused before they were looked at. */
export function refusedPage(title: string): Page {
  return page(title, '<p>Please try again later.</p>');
}
