import { sql } from 'kysely';
import { suppressedAmong, suppressMany, unsuppress } from '../../email/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import { type Evidence, joinLists } from './change.ts';
import type { Reader } from './reader.ts';
import '../tables.ts';

interface People {
  customerId: number;
  people: readonly string[];
}

/**
 * Opts people out of everything that a customer mails to many, and answers how many that were. Their addresses are
 * suppressed too, so that it still holds when the person is deleted and comes back by an import.
 */
export async function optOutPeople(
  tx: Tx,
  keys: CustomerVault,
  { customerId, people }: People,
  { source, details, at }: Evidence,
  messageId: string | null = null,
): Promise<number> {
  const { rows } = await sql<{ gone: number }>`select opt_out(${customerId}, ${people}::uuid[], ${source},
    ${JSON.stringify(details)}::jsonb, ${at}) as gone`.execute(tx);
  const addresses = await addressesOf(tx, { customerId, people });
  await suppressMany(tx, keys, { customerId, addresses, reason: 'opt_out', messageId, at });
  return rows[0]?.gone ?? 0;
}

/**
 * The same for whoever reads a mail, and for the address that it went to: it may not be theirs any more, and of somebody
 * who was deleted since it is all that is known.
 */
export async function optOutReader(
  tx: Tx,
  keys: CustomerVault,
  { customerId, people, address, messageId }: Reader & { customerId: number; messageId: string },
  evidence: Evidence,
): Promise<void> {
  await optOutPeople(tx, keys, { customerId, people }, evidence, messageId);
  const addresses = address === null ? [] : [address];
  await suppressMany(tx, keys, { customerId, addresses, reason: 'opt_out', messageId, at: evidence.at });
}

/** Takes an opt-out back, and puts people on lists that they may have left. */
export async function optInPeople(
  tx: Tx,
  keys: CustomerVault,
  { customerId, people, lists }: People & { lists: readonly number[] },
  evidence: Evidence,
): Promise<void> {
  await joinLists(tx, { customerId, people, lists }, evidence, true);
  const addresses = await addressesOf(tx, { customerId, people });
  await unsuppress(tx, keys, { customerId, addresses, reasons: ['opt_out'] });
}

/** Whether somebody has opted out, now or before they were deleted. */
export async function hasOptedOut(
  tx: Tx,
  keys: CustomerVault,
  customerId: number,
  { email, unsubscribed_at: since }: { email: string | null; unsubscribed_at: Date | null },
): Promise<boolean> {
  if (since !== null || email === null) return since !== null;
  return (await suppressedAmong(tx, keys, customerId, [email], ['opt_out'])).size > 0;
}

async function addressesOf(tx: Tx, { customerId, people }: People): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select email from subscribers
    where customer_id = ${customerId} and id = any(${people}::uuid[]) and email is not null`.execute(tx);
  return rows.map(({ email }) => email);
}
