import { sql } from 'kysely';
import { domainOf, prepareAttempts, type WarmUp } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { despiteOutage } from '../../../platform/db/despite-outage.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { AdvanceDeps } from './advance.ts';
import { holdUndecided } from './hold-undecided.ts';
import { noteKept } from './keep-for-pickup.ts';
import type { Send } from './send.ts';
import { attemptsOf, type Settlement, settle, suppressBounced } from './settle.ts';
import '../../tables.ts';

interface Occasion {
  send: Send;
  keys: CustomerVault;
  /** What has counted the mails for their domain. */
  warmUp: WarmUp | null;
  takenAt: Date;
}

/**
 * Writes what came of mails, also where the database is away for a while: servers have answered, and will not again. Mails
 * that somebody else has taken since are no longer ours to settle; that they were tried is written down all the same. Written
 * once more, since the answer of the database was lost, it changes nothing.
 */
export async function writeSettlements(
  { db, vault, clock }: AdvanceDeps,
  { send, keys, warmUp, takenAt }: Occasion,
  settlements: Settlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  const { customer_id: customerId } = send;
  const keepAttempts = await despiteOutage(() =>
    prepareAttempts({ vault, clock }, customerId, attemptsOf(settlements)),
  );
  await despiteOutage(() =>
    db.tenant([customerId], async (tx) => {
      await holdUndecided(tx, { customerId, sendId: send.id });
      const ours = await holdOurs(tx, settlements);
      if (warmUp !== null) await giveBack(tx, warmUp, send, { takenAt, settlements: ours });
      await settle(tx, { keys, clock }, send, ours);
      await suppressBounced(tx, { keys, clock }, send, settlements);
      await noteKept(tx, clock, customerId, ours);
      await keepAttempts(tx);
    }),
  );
}

/** Those that are still leased as they were taken, or given up for lost since; held, in one order everywhere. */
export async function holdOurs(tx: Tx, settlements: Settlement[]): Promise<Settlement[]> {
  const leases = settlements.map(({ person }) => ({
    id: person.id,
    attempts: person.attempts,
    leased_at: person.leased_at,
  }));
  const { rows } = await sql<{ id: string }>`select hold_mails(${JSON.stringify(leases)}) as id`.execute(tx);
  const ours = new Set(rows.map(({ id }) => id));
  return settlements.filter(({ person }) => ours.has(person.id));
}

/** What did not leave from here is not counted for its domain; a message that was made of it is counted by itself. */
async function giveBack(
  tx: Tx,
  warmUp: WarmUp,
  { customer_id: customerId, sender_email: from }: Send,
  { takenAt, settlements }: { takenAt: Date; settlements: Settlement[] },
): Promise<void> {
  const count = settlements.filter(isCountedForNothing).length;
  if (count > 0) await warmUp.giveBack(tx, customerId, domainOf(from), { at: takenAt, count });
}

function isCountedForNothing(settlement: Settlement): boolean {
  return settlement.person.attempts === 1 && (!('handed' in settlement) || settlement.keptAs !== null);
}
