import { sql } from 'kysely';
import {
  bounceKind,
  type HandedOver,
  type MailAttempt,
  nextAttempt,
  suppressMany,
  withoutTlsSince,
  wordsOfBounce,
} from '../../../email/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { CustomerVault } from '../../../platform/vault/vault.ts';
import type { LeftOut } from './decide.ts';
import type { LeasedPerson } from './lease.ts';
import type { Send } from './send.ts';
import '../../tables.ts';

/** What came of somebody whose mail was leased: handed over, left out, or put off. */
export type Settlement = { person: LeasedPerson } & (
  | {
      handed: HandedOver;
      /** The message that the Email area has made of it; null where it goes on here. */
      keptAs: string | null;
    }
  | { leftOut: LeftOut }
  | { putOffUntil: Date; paced: boolean }
);

interface Row {
  id: string;
  attempt: number;
  /** The attempt does not count where nothing was attempted. */
  attempts: number;
  state: string;
  rule: string | null;
  smtp_code: number | null;
  reply: string | null;
  due_at: Date | null;
  settled_at: Date | null;
}

interface Deps {
  keys: CustomerVault;
  clock: Clock;
  random?: () => number;
}

/**
 * Writes what came of leased people, and counts it. Who was called uncertain meanwhile, as the answer came late, no longer
 * is; a row that somebody else has taken since is no longer ours to settle, and its attempt number tells.
 */
export async function settle(
  tx: Tx,
  { keys, clock, random = Math.random }: Deps,
  send: Send,
  settlements: Settlement[],
): Promise<void> {
  const { customer_id: customerId, id } = send;
  const now = clock.now();
  const again = settlements.filter(isTriedAgainWithoutTls).map(({ person }) => person);
  const noTls = await withoutTlsSince(tx, customerId, again);
  const cancelled = await isCancelled(tx, send);
  const rows = settlements
    .map((settlement) => rowOf({ keys, now, random, noTls }, settlement))
    .map((row) =>
      cancelled && row.due_at !== null
        ? { ...row, state: 'cancelled', rule: null, due_at: null, settled_at: now }
        : row,
    );
  await sql`select settle_people(${customerId}, ${id}, ${JSON.stringify(rows)})`.execute(tx);
}

function isTriedAgainWithoutTls(settlement: Settlement): boolean {
  return 'handed' in settlement && settlement.handed.tls === 'missing' && settlement.person.attempts > 1;
}

/** Whether a send was cancelled meanwhile: nobody would look again for what is still to go. */
async function isCancelled(tx: Tx, { id, customer_id: customerId }: Send): Promise<boolean> {
  const { rows } = await sql`select from campaign_mailing_sends
    where customer_id = ${customerId} and id = ${id} and state = 'cancelled'`.execute(tx);
  return rows.length > 0;
}

function rowOf(
  { keys, now, random, noTls }: { keys: CustomerVault; now: Date; random: () => number; noTls: Map<string, Date> },
  settlement: Settlement,
): Row {
  const { person } = settlement;
  const row = {
    id: person.id,
    attempt: person.attempts,
    attempts: person.attempts,
    rule: null,
    smtp_code: null,
    reply: null,
  };
  const ended = { due_at: null, settled_at: now };
  if ('leftOut' in settlement) return { ...row, ...ended, ...settlement.leftOut, attempts: person.attempts - 1 };
  if ('putOffUntil' in settlement) {
    const state = person.attempts > 1 ? 'deferred' : 'queued';
    const rule = settlement.paced ? 'paced' : null;
    return { ...row, state, rule, attempts: person.attempts - 1, due_at: settlement.putOffUntil, settled_at: null };
  }
  const { handed, keptAs } = settlement;
  if (keptAs !== null) return { ...row, ...ended, state: 'sent', rule: 'secure_pickup' };
  const { result, code, reply } = handed;
  if (result === 'delivered') return { ...row, ...ended, state: 'delivered', smtp_code: code };
  if (result === 'uncertain') return { ...row, ...ended, state: 'uncertain' };
  const said = (words: string | null) => ({
    smtp_code: code,
    reply: words === null ? null : sealReply(keys, person.id, words),
  });
  const firstTriedAt = person.first_tried_at;
  const retryAt =
    result === 'deferred'
      ? nextAttempt(
          { now, random },
          {
            attempts: person.attempts,
            firstTriedAt,
            noTlsSince: handed.tls === 'missing' ? (noTls.get(person.id) ?? handed.startedAt) : null,
          },
        )
      : null;
  if (retryAt !== null) return { ...row, ...said(reply), state: 'deferred', due_at: retryAt, settled_at: null };
  return {
    ...row,
    ...said(wordsOfBounce(handed)),
    ...ended,
    state: 'bounced',
    rule: isHard(handed) ? 'hard_bounce' : 'soft_bounce',
  };
}

/** The attempts among settlements, for the evidence of each. */
export function attemptsOf(settlements: Settlement[]): MailAttempt[] {
  return settlements.flatMap((settlement) => {
    if (!('handed' in settlement)) return [];
    const { person, handed } = settlement;
    return { messageId: person.id, attempt: person.attempts, recipient: person.email ?? '', handed };
  });
}

/** An address that does not exist gets nothing more, neither from mailings nor from anything else. */
export async function suppressBounced(
  tx: Tx,
  { keys, clock }: Deps,
  send: Send,
  settlements: Settlement[],
): Promise<void> {
  const at = clock.now();
  // In one order everywhere: two sends that bounce at the same addresses must not wait for each other.
  const inOrder = settlements.toSorted((one, other) => compare(one.person.email ?? '', other.person.email ?? ''));
  for (const settlement of inOrder) {
    const { id, email } = settlement.person;
    if (!('handed' in settlement) || email === null || !isHard(settlement.handed)) continue;
    const cause = { customerId: send.customer_id, reason: 'hard_bounce' as const, messageId: id, at };
    await suppressMany(tx, keys, { ...cause, addresses: [email] });
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Whether a peer said that there is no such address: only its answer to the address itself tells. */
function isHard(handed: HandedOver): boolean {
  return handed.result === 'refused' && handed.toRcpt === true && bounceKind(handed.code, handed.reply) === 'hard';
}

/** Seals what a peer said about somebody, as the text that the database takes for bytes. */
export function sealReply(keys: CustomerVault, id: string, reply: string): string {
  return `\\x${keys.seal({ table: 'mailing_recipients', row: id, column: 'reply' }, reply).toString('hex')}`;
}
