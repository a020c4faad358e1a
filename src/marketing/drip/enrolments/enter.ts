import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Drip } from '../campaigns/drip.ts';
import { enrol } from '../engine/enrol.ts';
import type { Versions } from '../engine/load-version.ts';
import { type Refusal, refusalsOf } from './may-enter.ts';

/** Who has entered, and who has not. */
export interface Entered {
  enrolled: { id: string; subscriber_id: string }[];
  left_out: { subscriber_id: string; reason: Refusal }[];
}

/** Lets people enter a running drip; says of each of the others why they did not. */
export async function enterPeople(
  tx: Tx,
  { clock, versions }: { clock: Clock; versions: Versions },
  drip: Drip,
  people: readonly string[],
): Promise<Entered> {
  const at = clock.now();
  const entries = people.map((subscriberId) => ({ subscriberId, at }));
  const enrolled = await enrol(tx, { clock, versions }, drip, entries);
  const isIn = new Set(enrolled.map(({ subscriber_id: id }) => id));
  const others = people.filter((id) => !isIn.has(id));
  const refusals = await refusalsOf(tx, drip, others);
  return {
    enrolled,
    // Nothing is known of whoever was deleted at this very moment: they are on no list.
    left_out: others.map((id) => ({ subscriber_id: id, reason: refusals.get(id)?.[0] ?? 'not_on_list' })),
  };
}
