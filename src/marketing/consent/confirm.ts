import { sql } from 'kysely';
import type { LinkAnswer } from '../../email/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { ofOwner } from '../of-owner.ts';
import { confirmPage } from './confirm-page.ts';
import { confirmList, holdAsked, readAsked } from './confirmation.ts';
import { senderName } from './sender-name.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

/** Shows what a subscription asks to confirm, or how it stands. */
export async function showAsked({ db }: Deps, subscriptionId: string): Promise<LinkAnswer> {
  return ofOwner(db, ownerOf(subscriptionId), async (tx, customerId) => {
    const asked = await readAsked(tx, customerId, subscriptionId);
    return asked === null ? null : { page: confirmPage(asked, await senderName(tx, customerId)) };
  });
}

/** Confirms a subscription, unless the words that its page showed are no longer those of the list. */
export async function confirmAsked(
  { db, clock }: Deps,
  subscriptionId: string,
  shownText: unknown,
): Promise<LinkAnswer> {
  return ofOwner(db, ownerOf(subscriptionId), async (tx, customerId) => {
    const asked = await holdAsked(tx, customerId, subscriptionId);
    if (asked === null) return null;
    const evidence = { source: 'page', details: { how: 'page' }, at: clock.now() } as const;
    const agreed = shownText === String(asked.textId ?? '') && (await confirmList(tx, asked, evidence));
    const shown = agreed ? { ...asked, state: 'on' as const } : asked;
    return { page: confirmPage(shown, await senderName(tx, customerId)) };
  });
}

function ownerOf(subscriptionId: string) {
  return sql<number | null>`find_subscription_customer(${subscriptionId})`;
}
