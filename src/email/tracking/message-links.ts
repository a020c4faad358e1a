import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { recordClick, recordOpen, recordUnsubscribe } from './engagement.ts';
import type { LinkHandlers } from './link-handler.ts';
import { askPage, donePage } from './unsubscribe-page.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** What the links in messages of the Email area lead to. */
export function messageLinks(deps: Deps): LinkHandlers<'open' | 'click' | 'unsubscribe'> {
  return {
    open: {
      async follow({ id, byMachine }) {
        await recordOpen(deps, id, byMachine);
        return 'picture';
      },
    },
    click: {
      async follow({ id, number, byMachine }) {
        const target = await recordClick(deps, { messageId: id, number }, byMachine);
        return target === null ? null : { redirect: target };
      },
    },
    unsubscribe: {
      follow: async () => ({ page: askPage }),
      async act({ id }) {
        const left = await recordUnsubscribe(deps, id);
        return left === null ? null : { page: donePage(left.unsubscribeUrl) };
      },
    },
  };
}
