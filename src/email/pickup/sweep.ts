import { sql } from 'kysely';
import { notHeld, recordAct, shareHolds } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { sweepExpired } from '../../platform/db/sweep-expired.ts';
import type { CustomerVault, Vault } from '../../platform/vault/vault.ts';
import { sealOfAttempt } from '../delivery/outcome/attempt-seals.ts';
import { PERMANENT_FAILURE } from '../events/names.ts';
import { recordEvents } from '../events/record.ts';
import { peopleOfMessage } from '../log/people-of-message.ts';
import { DAY_MS, KEPT_DAYS } from './rules.ts';
import '../tables.ts';

interface Deps {
  /** The database as the worker role. */
  db: Database;
  vault: Vault;
  clock: Clock;
}

/** Ends what nobody has picked up in time, and removes sessions, codes and counts that are over. */
export async function sweepPickups(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  await sweepExpired(deps, 'pickups', (customerId, ids) => endPickups(deps, customerId, ids));
  await db.untenanted(async (tx) => {
    const dayAgo = new Date(now.getTime() - DAY_MS);
    await tx.deleteFrom('pickup_sessions').where('expires_at', '<=', now).execute();
    await tx.deleteFrom('pickup_codes').where('created_at', '<=', dayAgo).execute();
    await tx.deleteFrom('pickup_replies').where('created_at', '<=', dayAgo).execute();
  });
}

interface Unopened {
  message_id: string;
  ordinal: number;
  attempts: number;
}

/**
 * Removes pickups with all that hangs on them, unless a legal hold keeps the message; whoever has not opened theirs has
 * not got the message.
 */
async function endPickups({ db, vault, clock }: Deps, customerId: number, ids: string[]): Promise<void> {
  const now = clock.now();
  await db.tenant([customerId], async (tx) => {
    await shareHolds(tx, customerId);
    const { rows: unopened } = await sql<Unopened>`
      with over as (
        select p.id, p.message_id, p.ordinal,
          ${notHeld(customerId, sql`array[p.message_id]`, peopleOfMessage(customerId, sql.ref('p.message_id')))} as free
        from pickups p where p.customer_id = ${customerId} and p.id = any(${ids}::uuid[])
      ), gone as (
        delete from pickups p using over o where p.customer_id = ${customerId} and p.id = o.id and o.free
      )
      update message_recipients r set state = 'bounced', settled_at = ${now}, attempts = r.attempts + 1
      from over e where r.customer_id = ${customerId} and r.message_id = e.message_id and r.ordinal = e.ordinal
        and r.state = 'noticed'
      returning r.message_id, r.ordinal, r.attempts`.execute(tx);
    if (unopened.length === 0) return;
    const keys = await vault.of(customerId).catch(() => null); // destroyed keys hold up nobody else
    for (const each of unopened) await noteReason(tx, keys, { customerId, at: now }, each);
    await recordEvents(
      tx,
      clock,
      unopened.map(({ message_id: messageId, ordinal }) => ({
        customerId,
        messageId,
        ordinal,
        name: PERMANENT_FAILURE,
        at: now,
      })),
    );
    const actor = { kind: 'worker', id: 'pickup' } as const;
    const act = { customerId, actor, action: 'pickup.expired', requestId: null };
    const messages = unopened.map(({ message_id: id, ordinal }) => `${id}/${ordinal}`);
    await recordAct(tx, clock, act, { details: { messages } });
  });
}

/** The reason stands where a receipt looks for it: with the last attempt. */
async function noteReason(
  tx: Tx,
  keys: CustomerVault | null,
  { customerId, at }: { customerId: number; at: Date },
  attempt: Unopened,
): Promise<void> {
  const reply = keys === null ? null : sealOfAttempt(keys, attempt, 'reply', `not picked up within ${KEPT_DAYS} days`);
  const { message_id: messageId, ordinal, attempts } = attempt;
  await sql`
    insert into delivery_attempts
      (message_id, ordinal, attempt, customer_id, started_at, finished_at, outcome, reply)
    values (${messageId}, ${ordinal}, ${attempts}, ${customerId}, ${at}, ${at}, 'refused', ${reply}::bytea)`.execute(
    tx,
  );
}
