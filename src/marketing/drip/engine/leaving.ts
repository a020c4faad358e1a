import { STOPS_MAILINGS, suppressedAmong } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Leaving, Traveller } from './traveller.ts';
import { whoFits } from './who-fits.ts';

/** Who of these has no further steps, and why: they no longer want them, cannot get them, or are where they should be. */
export async function whoLeaves(
  tx: Tx,
  { keys, at }: { keys: CustomerVault; at: Date },
  drip: Drip,
  people: Traveller[],
): Promise<Map<string, Leaving>> {
  const addresses = people.flatMap(({ email }) => email ?? []);
  const suppressed = await suppressedAmong(tx, keys, drip.customer_id, addresses, STOPS_MAILINGS);
  const leaving = new Map<string, Leaving>();
  for (const person of people) {
    const reason = refusal(person, suppressed);
    if (reason !== null) leaving.set(person.id, reason);
  }
  if (drip.goal !== null && 'test' in drip.goal) {
    const { test, filters } = drip.goal;
    const staying = people.filter(({ id }) => !leaving.has(id));
    const occasion = { customerId: drip.customer_id, at };
    for (const id of await whoFits(tx, occasion, test, filters, staying)) leaving.set(id, 'goal');
  }
  return leaving;
}

function refusal(person: Traveller, suppressed: ReadonlyMap<string, string>): Leaving | null {
  if (!person.exists) return 'deleted';
  if (person.opted_out) return 'unsubscribed';
  if (person.subscribed !== true) return 'left_list';
  return person.email === null ? null : leavingFor(suppressed.get(person.email));
}

/** What a suppression of their address means to somebody's journey. */
export function leavingFor(suppression: string | undefined): Leaving | null {
  if (suppression === undefined) return null;
  if (suppression === 'opt_out') return 'unsubscribed';
  return suppression === 'hard_bounce' ? 'bounced' : 'suppressed';
}
