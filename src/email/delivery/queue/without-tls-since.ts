import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import '../../tables.ts';

/** Since when mails have met no TLS at all, of those attempts that count as one row of tries. */
export async function withoutTlsSince(
  tx: Tx,
  customerId: number,
  mails: { id: string; first_tried_at: Date }[],
): Promise<Map<string, Date>> {
  if (mails.length === 0) return new Map();
  const { rows } = await sql<{ id: string; since: Date }>`
    select w.id, min(a.started_at) as since
    from unnest(${mails.map(({ id }) => id)}::uuid[], ${mails.map((mail) => mail.first_tried_at)}::timestamptz[])
      as w (id, since)
    join delivery_attempts a on a.customer_id = ${customerId} and a.message_id = w.id and a.ordinal = 0
      and a.started_at >= w.since and a.tls_version is null and a.tls_reason is not null
    group by w.id`.execute(tx);
  return new Map(rows.map(({ id, since }) => [id, since]));
}
