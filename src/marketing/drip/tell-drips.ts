import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Interest } from './interest.ts';

interface Told extends Interest {
  customerId: number;
  /** To whom it happened. */
  people: readonly string[];
  at: Date;
}

/** Tells the drips of a customer, with the fact itself, that something happened to people; most facts concern none. */
export async function tellDrips(tx: Tx, { customerId, kind, subject, people, at }: Told): Promise<void> {
  await sql`select tell_drips(${customerId}, ${kind}, ${subject}, ${people}::uuid[], ${at})`.execute(tx);
}
