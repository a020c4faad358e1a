import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { CustomerVault } from '../vault/vault.ts';
import type { Issued } from './order.ts';
import './tables.ts';

/** Longer than an order takes, in which two names and the certificate are each waited for. */
const LEASE_MS = 15 * 60_000;

interface Deps {
  db: Database;
  /** The installation's own keys. */
  keys(): Promise<CustomerVault>;
  clock: Clock;
}

/** Which certificate is meant: of which authority, for which names. */
export interface Wanted {
  directory: string;
  names: readonly string[];
}

const rowOf = ({ names }: Wanted) => names.join(' ');
const placeOf = (wanted: Wanted) => ({
  table: 'acme_certificates',
  row: `${wanted.directory} ${rowOf(wanted)}`,
  column: 'sealed_key',
});

/** The certificate as all nodes serve it; null before the first is issued. */
export async function readIssued({ db, keys }: Deps, wanted: Wanted): Promise<Issued | null> {
  const row = await db.untenanted((tx) =>
    tx
      .selectFrom('acme_certificates')
      .select(['chain', 'sealed_key'])
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .executeTakeFirst(),
  );
  if (row === undefined || row.chain === null || row.sealed_key === null) return null;
  return { cert: row.chain, key: (await keys()).open(placeOf(wanted), row.sealed_key).toString() };
}

/** What one node has taken on: nothing is written for it any more once another node has. */
export interface Taken {
  wanted: Wanted;
  until: Date;
  /** How often it failed before. */
  failures: number;
}

/** How asking for a certificate stands; null before it was asked for. */
export async function readStanding(
  db: Database,
  wanted: Wanted,
): Promise<{ chain: string | null; failures: number; next_attempt_at: Date } | null> {
  const row = await db.untenanted((tx) =>
    tx
      .selectFrom('acme_certificates')
      .select(['chain', 'failures', 'next_attempt_at'])
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .executeTakeFirst(),
  );
  return row ?? null;
}

/** Takes on what is due, for the one node that gets there first; null for the others. */
export async function takeOn({ db, clock }: Deps, wanted: Wanted): Promise<Taken | null> {
  const now = clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  return db.untenanted(async (tx) => {
    const known = await tx
      .selectFrom('acme_certificates')
      .select('next_attempt_at')
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .executeTakeFirst();
    if (known !== undefined && known.next_attempt_at > now) return null;
    await tx
      .insertInto('acme_certificates')
      .values({ directory: wanted.directory, names: rowOf(wanted), next_attempt_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const taken = await tx
      .updateTable('acme_certificates')
      .set({ leased_until: until })
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .where('next_attempt_at', '<=', now)
      .where((row) => row.or([row('leased_until', 'is', null), row('leased_until', '<', now)]))
      .returning('failures')
      .executeTakeFirst();
    return taken === undefined ? null : { wanted, until, failures: taken.failures };
  });
}

/** Keeps what was issued, until it is time to ask anew; false where another node has taken it on meanwhile. */
export async function keepIssued({ db, keys }: Deps, taken: Taken, issued: Issued, renewAt: Date): Promise<boolean> {
  const sealed = (await keys()).seal(placeOf(taken.wanted), issued.key);
  return change(db, taken, { chain: issued.cert, sealed_key: sealed, next_attempt_at: renewAt, failures: 0 });
}

/** Notes that nothing was issued, and when to ask again. */
export async function noteFailure({ db }: Deps, taken: Taken, failures: number, nextAt: Date): Promise<void> {
  await change(db, taken, { next_attempt_at: nextAt, failures });
}

interface Change {
  chain?: string;
  sealed_key?: Buffer;
  next_attempt_at: Date;
  failures: number;
}

async function change(db: Database, { wanted, until }: Taken, values: Change): Promise<boolean> {
  const { numUpdatedRows } = await db.untenanted((tx) =>
    tx
      .updateTable('acme_certificates')
      .set({ ...values, leased_until: null })
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .where('leased_until', '=', until)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
