import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Evidence, leaveLists } from '../consent/change.ts';
import { optInPeople, optOutPeople } from '../consent/opt-out.ts';

export type ConsentChangeKind = 'subscribe' | 'unsubscribe';

interface People {
  customerId: number;
  people: readonly string[];
  /** None for everything that the customer mails to many. */
  lists: readonly number[];
}

/** Puts people on lists or takes them off; without lists, takes their opt-out back or opts them out. */
export async function changeConsent(
  tx: Tx,
  keys: CustomerVault,
  kind: ConsentChangeKind,
  people: People,
  evidence: Evidence,
): Promise<void> {
  if (people.people.length === 0) return;
  if (kind === 'subscribe') await optInPeople(tx, keys, people, evidence);
  else if (people.lists.length === 0) await optOutPeople(tx, keys, people, evidence);
  else await leaveLists(tx, people, evidence);
}
