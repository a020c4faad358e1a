import { sql } from 'kysely';
import type { Act } from '../../../platform/act.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import { confirmList } from '../../consent/confirmation.ts';
import { evidenceOf } from '../../consent/evidence-of.ts';
import { findSubscriber } from '../../subscribers/find-subscriber.ts';
import { upsertSubscriber } from '../../subscribers/upsert.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Chosen } from './read-simulation.ts';
import '../../tables.ts';

interface Deps {
  clock: Clock;
  keys: CustomerVault;
  act: Act;
  requireOwn: OwnershipCheck;
}

/** Somebody who is led through a drip on trial. */
export interface Guest {
  subscriberId: string;
  isMadeUp: boolean;
}

/** The people who are led through a drip: those who are named, those who are made up, and some of its list. */
export async function gather(
  tx: Tx,
  deps: Deps,
  drip: Drip,
  { people, sample }: { people: Chosen[]; sample: number },
): Promise<Guest[]> {
  const { customerId } = deps.act;
  const guests: Guest[] = [];
  for (const [index, chosen] of people.entries()) {
    if ('madeUp' in chosen) {
      const { id } = await upsertSubscriber(tx, deps, chosen.madeUp, drip.subscription_list_id);
      // A list may want a confirmation, which nobody who is made up can give.
      await confirmList(
        tx,
        { customerId, subscriberId: id, listId: drip.subscription_list_id },
        evidenceOf(deps.clock, deps.act),
      );
      guests.push({ subscriberId: id, isMadeUp: true });
    } else {
      const place = `people[${index}].subscriber_id`;
      const { id } = await findSubscriber(tx, deps.requireOwn, customerId, chosen.subscriberId, place);
      guests.push({ subscriberId: id, isMadeUp: false });
    }
  }
  const known = guests.map(({ subscriberId }) => subscriberId);
  const { rows } = await sql<{ subscriber_id: string }>`
    select subscriber_id from subscriptions where customer_id = ${customerId}
      and subscription_list_id = ${drip.subscription_list_id} and active and not (subscriber_id = any(${known}::uuid[]))
    order by subscriber_id desc limit ${sample}`.execute(tx);
  return [...guests, ...rows.map((row) => ({ subscriberId: row.subscriber_id, isMadeUp: false }))];
}
