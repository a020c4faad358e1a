import { escapeHtml, plainPage } from '../../platform/http/pages/plain-page.ts';
import type { Preferences, Wish } from './preferences.ts';

/** What became of a choice. */
const TOLD = {
  saved: 'Saved.',
  'not read': 'Your choice could not be read, so nothing has changed. Please choose again.',
};

/** The page on which somebody chooses what to get. It names the sender and the lists, and nobody. */
export function preferencesPage(
  { sender, mayJoin, optedOut, lists }: Preferences,
  what: keyof typeof TOLD | null,
): (nonce: string) => string {
  const told = what === null ? '' : `<p role="status"><b>${TOLD[what]}</b></p>`;
  const again = mayJoin
    ? '<form method="post"><button type="submit" name="want" value="again">Get mail again</button></form>'
    : '';
  const shown = lists.filter(({ on }) => on || mayJoin).map(choice);
  const only = mayJoin
    ? ''
    : '<p>This link is from before the address changed. By it you can leave lists, and join none.</p>';
  const body = optedOut
    ? `<p>You get no mail from <b>${escapeHtml(sender)}</b> to any list.</p>${only}${again}`
    : `<form method="post"><fieldset><legend>Lists of ${escapeHtml(sender)}</legend>${shown.join('')}
       </fieldset>${only}<button type="submit" name="want" value="lists">Save</button></form>
       <form method="post"><p>Or get no mail from this sender to any list:</p>
       <button type="submit" class="quiet" name="want" value="nothing">No more mail from this sender</button></form>`;
  return (nonce) => plainPage(nonce, 'What you get', `${told}${body}`);
}

/** What the page's form asks for; null where it asks for nothing. */
export function readWish({ want, lists }: Record<string, unknown>): Wish | null {
  if (want === 'nothing' || want === 'again') return want;
  if (want !== 'lists') return null;
  return { lists: new Set((Array.isArray(lists) ? lists : []).map(Number)) };
}

function choice({ id, name, on }: Preferences['lists'][number]): string {
  const checked = on ? ' checked' : '';
  return `<label><input type="checkbox" name="lists[]" value="${id}"${checked}>${escapeHtml(name)}</label>`;
}
