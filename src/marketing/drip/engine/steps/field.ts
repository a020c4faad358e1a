import { sql } from 'kysely';
import { listFieldTypes } from '../../../fields/field-types.ts';
import { readValue } from '../../../fields/read-value.ts';
import { setFields } from '../../../fields/set-fields.ts';
import type { FieldNode } from '../../graph/graph.ts';
import type { Leg, TakeStep } from './turn.ts';

/** Sets a field of people. One that is no longer there, or has become one of another kind, is left alone. */
export const takeField: TakeStep<FieldNode> = async (leg, node, walkers) => {
  const { tx, drip, version } = leg;
  const types = await listFieldTypes(tx, drip.customer_id);
  const type = types.find(({ number }) => number === version.fieldOf(node.id));
  const read = type === undefined ? null : readValue(type.kind, node.value);
  if (type === undefined || read === null || 'rule' in read) {
    return walkers.map(() => ({ to: node.next, outcome: 'no_field' }));
  }
  const people = [...new Set(walkers.map(({ person }) => person.subscriber_id))].toSorted();
  if (type.class === 'phi') await setSealed(leg, type.name, read.value, people);
  else await setPlain(leg, type.number, read.value, people);
  return walkers.map(() => ({ to: node.next }));
};

/** In one order: two drips that change the same people must not wait for each other. */
async function setPlain({ tx, clock, drip }: Leg, number: number, value: string, people: string[]): Promise<void> {
  const set =
    value === ''
      ? sql`s.fields - ${String(number)}::text`
      : sql`s.fields || ${JSON.stringify({ [number]: value })}::jsonb`;
  await sql`
    with held as (
      select id from subscribers where customer_id = ${drip.customer_id} and id = any(${people}::uuid[])
      order by id for update
    )
    update subscribers s set fields = ${set}, updated_at = ${clock.now()} from held
    where s.customer_id = ${drip.customer_id} and s.id = held.id`.execute(tx);
}

async function setSealed({ tx, clock, keys, drip }: Leg, name: string, value: string, people: string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from subscribers
    where customer_id = ${drip.customer_id} and id = any(${people}::uuid[]) order by id for update`.execute(tx);
  for (const { id } of rows) {
    await setFields(tx, { clock, keys }, { customerId: drip.customer_id, subscriberId: id }, new Map([[name, value]]));
  }
}
