import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { despiteOutage } from '../../../platform/db/despite-outage.ts';
import { LEASE_MS, type Lease } from './lease.ts';
import '../../tables.ts';

/** Keeps leases that are still worked on from falling due. */
export async function renewLeases(
  { db, clock }: { db: Database; clock: Clock },
  leases: readonly Lease[],
): Promise<void> {
  if (leases.length === 0) return;
  const until = new Date(clock.now().getTime() + LEASE_MS);
  await db.untenanted((tx) =>
    sql`update message_recipients r set due_at = ${until} from ${listOf(leases)}
      where r.message_id = l.message_id and r.ordinal = l.ordinal and r.attempts = l.attempts and r.state = 'queued'`.execute(
      tx,
    ),
  );
}

/**
 * Gives leases back as if they had not been taken, to fall due at another moment; also where the database is away for a
 * while, as otherwise nobody would know of them that nothing was sent. Given back once more, since the answer of the
 * database was lost, it changes nothing: whoever has taken it since began at another moment.
 */
export async function releaseLeases({ db }: { db: Database }, leases: Lease[], dueAt: Date): Promise<void> {
  if (leases.length === 0) return;
  const release = sql`
    with released as (
      update message_recipients r set due_at = ${dueAt}, attempts = r.attempts - 1
      from ${listOf(leases)} where r.message_id = l.message_id and r.ordinal = l.ordinal and r.attempts = l.attempts
        and r.state = 'queued' and exists (
          select from delivery_attempts a where a.message_id = l.message_id and a.ordinal = l.ordinal
            and a.attempt = l.attempts and a.started_at = l.started_at)
      returning r.message_id, r.ordinal, r.attempts
    )
    delete from delivery_attempts a using released d
    where a.message_id = d.message_id and a.ordinal = d.ordinal and a.attempt = d.attempts + 1`;
  await despiteOutage(() => db.untenanted((tx) => release.execute(tx)));
}

function listOf(leases: readonly Lease[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(leases)}::json)
    as l (message_id uuid, ordinal smallint, attempts smallint, started_at timestamptz)`;
}
