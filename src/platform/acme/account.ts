import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { CustomerVault } from '../vault/vault.ts';
import { type AccountKey, makeAccountKey, readAccountKey } from './account-key.ts';
import { AcmeRefused, type Authority, openAuthority } from './authority.ts';
import type { SendToAuthority } from './send.ts';
import './tables.ts';

interface Deps {
  db: Database;
  keys(): Promise<CustomerVault>;
  clock: Clock;
  send: SendToAuthority;
}

export interface Account {
  authority: Authority;
  url: string;
  key: AccountKey;
}

/** RFC 8555 7.3.6: an account that was ended is told of as one that may not do this. */
const OF_ACCOUNT = new Set<string | null>(['accountDoesNotExist', 'unauthorized']);

/** The installation's account with an authority, made when it is needed first. Only the holder of a lease asks. */
export async function openAccount(deps: Deps, directory: string, email: string): Promise<Account> {
  const { db, clock, send } = deps;
  const keys = await deps.keys();
  const place = { table: 'acme_accounts', row: directory, column: 'sealed_key' };
  const row = await db.untenanted((tx) =>
    tx.selectFrom('acme_accounts').select(['url', 'sealed_key']).where('directory', '=', directory).executeTakeFirst(),
  );
  if (row !== undefined) {
    const key = readAccountKey(keys.open(place, row.sealed_key).toString());
    return { authority: await openAuthority(send, directory, key), url: row.url, key };
  }
  const key = makeAccountKey();
  const authority = await openAuthority(send, directory, key);
  const url = await authority.newAccount(email);
  const sealed = keys.seal(place, key.pem);
  await db.untenanted((tx) =>
    tx
      .insertInto('acme_accounts')
      .values({ directory, url, sealed_key: sealed, created_at: clock.now() })
      .onConflict((conflict) => conflict.column('directory').doUpdateSet({ url, sealed_key: sealed }))
      .execute(),
  );
  return { authority, url, key };
}

/** Whether an account is why the authority refused: it was set up anew and knows none, or has ended this one. */
export async function isAccountGone({ authority, url }: Account, refusal: unknown): Promise<boolean> {
  if (!isOfAccount(refusal)) return false;
  // RFC 8555 7.3.2: whoever may do nothing else may look at an account that is still good.
  return authority.post(url, url).then(() => false, isOfAccount);
}

/** Forgets an account, so that the next try makes another; one that was made meanwhile stays. */
export async function forgetAccount(db: Database, { url }: Account): Promise<void> {
  await db.untenanted((tx) => tx.deleteFrom('acme_accounts').where('url', '=', url).execute());
}

function isOfAccount(refusal: unknown): boolean {
  return refusal instanceof AcmeRefused && OF_ACCOUNT.has(refusal.problem);
}
