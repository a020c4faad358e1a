import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { missingField } from '../../../platform/errors.ts';
import type { OwnershipCheck } from '../../../platform/http/ownership.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Drip } from '../campaigns/drip.ts';
import type { Leaving } from '../engine/traveller.ts';
import { afterPauses } from '../timing/pauses.ts';
import '../../tables.ts';

export const ENROLMENT_STATES = ['active', 'completed', 'exited'] as const;

/** Somebody's way through a drip. */
export interface Enrolment {
  id: string;
  version: number;
  subscriber_id: string;
  /** Null where the person was deleted, or has no address. */
  email: string | null;
  rotation: number;
  occasion: string | null;
  state: (typeof ENROLMENT_STATES)[number];
  reason: Leaving | null;
  step: string;
  inside: boolean;
  woken: boolean;
  pauses: number;
  due_at: Date | null;
  entered_at: Date;
  arrived_at: Date;
  ended_at: Date | null;
}

/** Enrolments of a drip, the newest first. A part that is cut out looks up no others than its people. */
export async function readEnrolments(
  tx: Tx,
  { id, customer_id: customerId }: Drip,
  condition: RawBuilder<boolean>,
  part = sql``,
): Promise<Enrolment[]> {
  const { rows } = await sql<Enrolment>`
    select e.id, e.version, e.subscriber_id, s.email, e.rotation, e.occasion::text, e.state, e.reason, e.step, e.inside,
      e.woken, e.pauses, e.due_at, e.entered_at, e.arrived_at, e.ended_at
    from (select * from drip_enrolments e where e.customer_id = ${customerId} and e.drip_id = ${id} and ${condition}
      order by e.id desc ${part}) e
    left join subscribers s on s.customer_id = ${customerId} and s.id = e.subscriber_id
    order by e.id desc`.execute(tx);
  return rows;
}

/** The enrolment in a drip that an id names: 404 where there is none, 403 where it is another customer's. */
export async function findEnrolment(tx: Tx, requireOwn: OwnershipCheck, drip: Drip, id: string): Promise<Enrolment> {
  const missing = missingField('enrollment_id', 'no such enrollment');
  if (!isUuid(id)) throw missing;
  await requireOwn(tx, drip.customer_id, sql<number | null>`find_drip_enrolment_customer(${id})`, missing);
  const [found] = await readEnrolments(tx, drip, sql`e.id = ${id}`);
  if (found === undefined) throw missing;
  return found;
}

/** When somebody goes on, by the pauses that there were; null where nothing but an event takes them on, or nothing. */
export function goesOnAt({ pauses }: Drip, { due_at: dueAt, pauses: seen, woken }: Enrolment): Date | null {
  return dueAt === null ? null : afterPauses(pauses, { dueAt, seen, woken }).dueAt;
}
