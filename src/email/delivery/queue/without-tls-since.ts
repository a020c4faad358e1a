import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import '../../tables.ts';

/** Since when mails have met no TLS any more, of those attempts that count as one row of tries. */
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
      and not exists (select from delivery_attempts b where b.customer_id = ${customerId} and b.message_id = w.id
        and b.ordinal = 0 and b.tls_version is not null and b.started_at > a.started_at)
    group by w.id`.execute(tx);
  return new Map(rows.map(({ id, since }) => [id, since]));
}
