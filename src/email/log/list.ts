import { sql } from 'kysely';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { OwnershipCheck } from '../../platform/http/ownership.ts';
import { firstIdAt } from '../../platform/ids.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { requireOwnMessage } from '../message-owner.ts';
import { ADDRESS_COLUMN } from '../submission/accept.ts';
import { addressKey } from '../submission/address.ts';
import { openEnvelope } from '../submission/sealed-message.ts';
import { type LogState, stateOf, type Tally } from './state.ts';
import '../tables.ts';

export interface LogQuery {
  state: LogState | null;
  to: string | null;
  since: Date | null;
  until: Date | null;
  /** The message that the last page ended with. */
  after: string | null;
  limit: number;
}

export interface LogEntry {
  sourceTrackingId: string;
  state: LogState;
  mode: 'live' | 'test';
  from: string;
  to: string[];
  subject: string;
  createdAt: Date;
  /** When it is to leave, where nothing of it has begun to. */
  scheduledFor: Date | null;
}

interface Deps {
  db: Database;
  vault: Vault;
  clock: Clock;
  requireOwn: OwnershipCheck;
}

interface Row extends Tally {
  id: string;
  mode: 'live' | 'test';
  envelope: Buffer;
  created_at: Date;
  leaves_at: Date | null;
}

/** The messages of a customer that fit, the newest first. */
export async function listMessages(deps: Deps, act: Act, query: LogQuery): Promise<LogEntry[]> {
  const keys = await deps.vault.of(act.customerId);
  const rows = await deps.db.tenant([act.customerId], async (tx) => {
    if (query.after !== null) await requireOwnMessage(tx, deps.requireOwn, act.customerId, query.after);
    const found = await findRows(tx, keys, act.customerId, { ...query, now: deps.clock.now() });
    await recordAct(tx, deps.clock, act, { details: { messages: found.map(({ id }) => id) } });
    return found;
  });
  return rows.map((row) => {
    const envelope = openEnvelope(keys, row.id, row.envelope);
    return {
      sourceTrackingId: row.id,
      state: stateOf(row),
      mode: row.mode,
      from: envelope.from.address,
      to: envelope.recipients.map(({ address }) => address),
      subject: envelope.subject,
      createdAt: row.created_at,
      scheduledFor: row.leaves_at,
    };
  });
}

async function findRows(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  { state, to, since, until, after, limit, now }: LogQuery & { now: Date },
): Promise<Row[]> {
  const recipients = sql`message_recipients r where r.customer_id = ${customerId} and r.message_id = m.id`;
  const conditions = [sql`m.customer_id = ${customerId}`];
  if (after !== null) conditions.push(sql`m.id < ${after}`);
  if (since !== null) conditions.push(sql`m.id >= ${firstIdAt(since)}::uuid`);
  if (until !== null) conditions.push(sql`m.id < ${firstIdAt(until)}::uuid`);
  if (to !== null) {
    const index = keys.blindIndex(ADDRESS_COLUMN, addressKey(to));
    conditions.push(sql`m.id in (select message_id from message_recipients
      where customer_id = ${customerId} and address_index = ${index})`);
  }
  if (state !== null) conditions.push(sql`exists (select from ${recipients} and ${recipientIn(state, now)})`);
  const { rows } = await sql<Row>`
    select m.id, m.mode, m.envelope, m.created_at, t.*
    from messages m cross join lateral (
      select count(*) as recipients, count(*) filter (where r.state = 'delivered') as delivered,
        count(*) filter (where r.state = 'bounced') as bounced,
        count(*) filter (where r.state = 'cancelled') as cancelled,
        count(*) filter (where r.state = 'queued' and r.attempts = 0 and r.due_at > ${now}) as scheduled,
        min(r.due_at) filter (where r.state = 'queued' and r.attempts = 0 and r.due_at > ${now}) as leaves_at
      from ${recipients}
    ) t
    where ${sql.join(conditions, sql` and `)} order by m.id desc limit ${limit}`.execute(tx);
  return rows;
}

/** A message is listed under a state where one of its recipients is in it. */
function recipientIn(state: LogState, now: Date) {
  if (state === 'scheduled') return sql`r.state = 'queued' and r.attempts = 0 and r.due_at > ${now}`;
  if (state === 'processing') {
    return sql`(r.state = 'noticed' or r.state = 'queued' and (r.attempts > 0 or r.due_at is null or r.due_at <= ${now}))`;
  }
  return sql`r.state = ${state}`;
}
