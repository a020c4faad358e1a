import { sql } from 'kysely';
import type { LinkAnswer } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { ofOwner } from '../of-owner.ts';
import { askToConfirm } from './ask-anew.ts';
import { askedAgainPage, confirmPage } from './confirm-page.ts';
import { type ConfirmLink, confirmList, holdAsked, readAsked } from './confirmation.ts';
import { senderName } from './sender-name.ts';

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Shows what a link asks to confirm, or how it stands. */
export async function showAsked(deps: Deps, link: ConfirmLink): Promise<LinkAnswer> {
  return ofOwner(deps, lookupOf(link), async (tx, { customerId }) => {
    const asked = await readAsked(tx, customerId, link);
    return asked === null ? null : { page: confirmPage(asked, await senderName(tx, customerId)) };
  });
}

/**
 * Confirms a subscription, unless the words that its page showed are no longer those of the list. Who comes by a spent link is
 * asked once more by mail, as theirs may be the newest there is: nodes of the version before make none but the first.
 */
export async function confirmAsked(deps: Deps, link: ConfirmLink, shownText: unknown): Promise<LinkAnswer> {
  return ofOwner(deps, lookupOf(link), async (tx, { customerId }) => {
    const asked = await holdAsked(tx, customerId, link);
    if (asked === null) return null;
    if (asked.state === 'spent') {
      await askToConfirm(tx, asked);
      return { page: askedAgainPage(asked, await senderName(tx, customerId)) };
    }
    const evidence = { source: 'page', details: { how: 'page' }, at: deps.clock.now() } as const;
    const isMeant = asked.state === 'pending' && shownText === String(asked.textId ?? '');
    const agreed = isMeant && (await confirmList(tx, asked, evidence));
    const shown = agreed ? { ...asked, state: 'on' as const } : asked;
    return { page: confirmPage(shown, await senderName(tx, customerId)) };
  });
}

function lookupOf({ id }: ConfirmLink) {
  return sql<number | null>`find_subscription_customer(${id})`;
}
