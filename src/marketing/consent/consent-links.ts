import type { LinkHandlers, LinkTokens } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { confirmAsked, showAsked } from './confirm.ts';
import { leaveByMail, readWayOut } from './leave-by-mail.ts';
import { readPreferences, savePreferences } from './preferences.ts';
import { preferencesPage, readWish } from './preferences-page.ts';
import { askPage, donePage, tooOldPage } from './way-out.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  tokens: LinkTokens;
}

/** What the links lead to by which people say what they want to get. */
export function consentLinks(deps: Deps): LinkHandlers<'mailing-unsubscribe' | 'confirm' | 'preferences'> {
  return {
    'mailing-unsubscribe': {
      async follow({ id }) {
        const wayOut = await readWayOut(deps, id);
        return { page: wayOut === null ? tooOldPage : askPage(wayOut) };
      },
      async act({ id, form }) {
        const what = form.leave === 'everything' ? 'everything' : 'list';
        const how = form['List-Unsubscribe'] === 'One-Click' ? 'one-click' : 'page'; // RFC 8058 3.1
        const done = await leaveByMail(deps, id, { what, how });
        // A mail program shows no page: by the status alone it knows that nobody was unsubscribed.
        return done === null ? { page: tooOldPage, status: 410 } : { page: donePage(done) };
      },
    },
    confirm: {
      follow: (link) => showAsked(deps, link),
      act: ({ form, ...link }) => confirmAsked(deps, link, form.text),
    },
    preferences: {
      async follow(link) {
        const preferences = await readPreferences(deps, link);
        return preferences === null ? null : { page: preferencesPage(preferences, null) };
      },
      async act({ form, ...link }) {
        const wish = readWish(form);
        if (wish === null) {
          const preferences = await readPreferences(deps, link);
          return preferences === null ? null : { page: preferencesPage(preferences, 'not read'), status: 400 };
        }
        const preferences = await savePreferences(deps, link, wish);
        if (preferences === null) return null;
        return { page: preferencesPage(preferences, wish === 'again' && !preferences.mayJoin ? null : 'saved') };
      },
    },
  };
}
