import type { LinkHandlers } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { recordClick, recordOpen } from './engagement.ts';
import { readTarget } from './link-target.ts';
import { ofRecipient } from './recipient.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** What the picture and the links in a mailing lead to. */
export function mailingLinks(deps: Deps): LinkHandlers<'mailing-open' | 'mailing-click'> {
  const { clock } = deps;
  return {
    'mailing-open': {
      async follow({ id, byMachine }) {
        await ofRecipient(deps, id, (tx, recipient) => recordOpen(tx, clock, recipient, byMachine));
        return 'picture';
      },
    },
    'mailing-click': {
      async follow({ id, number, byMachine }) {
        return ofRecipient(deps, id, async (tx, recipient, keys) => {
          const { customerId, sendId } = recipient;
          const target = await readTarget(tx, keys, customerId, { sendId, number });
          if (target === null) return null;
          await recordClick(tx, clock, recipient, { link: number, byMachine });
          return { redirect: target };
        });
      },
    },
  };
}
