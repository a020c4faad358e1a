import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Evidence, joinLists, leaveLists } from '../consent/change.ts';
import { optInPeople, optOutPeople } from '../consent/opt-out.ts';

export type ConsentChangeKind = 'subscribe' | 'unsubscribe';

interface People {
  customerId: number;
  people: readonly string[];
  /** None for everything that the customer mails to many. */
  lists: readonly number[];
  /** Whether they were named one by one; else they were chosen by what is known of them. */
  named: boolean;
}

/**
 * Puts people on lists or takes them off; without lists, takes their opt-out back or opts them out. Only who is named
 * comes back to lists: who makes a choice does not see who in it has left one or opted out.
 */
export async function changeConsent(
  tx: Tx,
  keys: CustomerVault,
  kind: ConsentChangeKind,
  people: People,
  evidence: Evidence,
): Promise<void> {
  if (people.people.length === 0) return;
  const hasLists = people.lists.length > 0;
  if (kind === 'subscribe' && hasLists && !people.named) await joinLists(tx, people, evidence, false);
  else if (kind === 'subscribe') await optInPeople(tx, keys, people, evidence);
  else if (!hasLists) await optOutPeople(tx, keys, people, evidence);
  else await leaveLists(tx, people, evidence);
}
