import { escapeHtml, plainPage } from '../../platform/http/pages/plain-page.ts';

/** What the way out of a mailing says. Nothing tells who it was for: the mail may have been forwarded. */
export interface WayOut {
  sender: string;
  /** The list that the mailing went to, where leaving it is enough. */
  list: string | null;
  /** The page on which somebody chooses what to get; null where nothing is left to choose. */
  preferences: string | null;
}

type Page = (nonce: string) => string;

/** Asks before anything happens: mail filters open every link. */
export function askPage({ sender, list, preferences }: WayOut): Page {
  const leaveList = '<button type="submit" name="leave" value="list">Leave this list</button>';
  const leaveAll = `<button type="submit" class="quiet" name="leave" value="everything">Leave everything</button>`;
  const why =
    list === null
      ? `<p>Do you want no more mail from <b>${escapeHtml(sender)}</b>?</p>`
      : `<p>This mail came from <b>${escapeHtml(sender)}</b> to the list <b>${escapeHtml(list)}</b>.</p>
         <p>You can leave this list, or get no more mail from this sender to any list.</p>`;
  const form = `<form method="post">${list === null ? '' : leaveList}${leaveAll}</form>`;
  return (nonce) => plainPage(nonce, 'Unsubscribe', `${why}${form}${choice(preferences)}`);
}

/** Says what was done. */
export function donePage({ sender, list, preferences }: WayOut): Page {
  const done =
    list === null
      ? `<p>You get no more mail from <b>${escapeHtml(sender)}</b> to any list.</p>`
      : `<p>You have left the list <b>${escapeHtml(list)}</b> of <b>${escapeHtml(sender)}</b>.</p>`;
  return (nonce) => plainPage(nonce, 'You are unsubscribed', `${done}${choice(preferences)}`);
}

/** For mail so old that nothing is left of it. */
export function tooOldPage(nonce: string): string {
  return plainPage(
    nonce,
    'This mail is too old',
    `<p>Nothing is kept of it any more, so this link can change nothing.</p>
     <p>If you still get mail from this sender, the link in their newest mail works.</p>`,
  );
}

function choice(preferences: string | null): string {
  return preferences === null ? '' : `<p><a href="./${preferences}">Choose what you get</a></p>`;
}
