import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { CustomerVault } from '../vault/vault.ts';
import type { Issued } from './order.ts';
import './tables.ts';

const LEASE_MS = 5 * 60_000;

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

/** Takes on what is due, for the one node that gets there first; tells how often it failed before, or null. */
export async function takeOn({ db, clock }: Deps, wanted: Wanted): Promise<number | null> {
  const now = clock.now();
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
      .set({ leased_until: new Date(now.getTime() + LEASE_MS) })
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .where('next_attempt_at', '<=', now)
      .where((row) => row.or([row('leased_until', 'is', null), row('leased_until', '<', now)]))
      .returning('failures')
      .executeTakeFirst();
    return taken?.failures ?? null;
  });
}

/** Keeps what was issued, until it is time to ask anew. */
export async function keepIssued({ db, keys }: Deps, wanted: Wanted, issued: Issued, renewAt: Date): Promise<void> {
  const sealed = (await keys()).seal(placeOf(wanted), issued.key);
  await change(db, wanted, { chain: issued.cert, sealed_key: sealed, next_attempt_at: renewAt, failures: 0 });
}

/** Notes that nothing was issued, and when to ask again. */
export async function noteFailure({ db }: Deps, wanted: Wanted, failures: number, nextAt: Date): Promise<void> {
  await change(db, wanted, { next_attempt_at: nextAt, failures });
}

interface Change {
  chain?: string;
  sealed_key?: Buffer;
  next_attempt_at: Date;
  failures: number;
}

async function change(db: Database, wanted: Wanted, values: Change): Promise<void> {
  await db.untenanted((tx) =>
    tx
      .updateTable('acme_certificates')
      .set({ ...values, leased_until: null })
      .where('directory', '=', wanted.directory)
      .where('names', '=', rowOf(wanted))
      .execute(),
  );
}
