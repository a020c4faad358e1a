import { sql } from 'kysely';
import { destroyCustomerKeys, recordAct, type Signed, type SigningKey } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { withConnection } from '../../platform/db/pool.ts';
import type { KeyStore } from '../../platform/vault/key-store.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { RECORDS } from '../records.ts';
import { beginDestruction, type Wish } from './begin.ts';
import { type CustomerDestruction, certifyCustomer } from './certificate.ts';
import { keepAgreements, letGoOfFiles } from './keep-agreements.ts';
import { removeFiles } from './remove-files.ts';
import { isEmpty, removeRows } from './remove-rows.ts';

/** Requests and jobs that were under way when everything was closed may write once more. */
const MOST_PASSES = 5;

interface Deps {
  ownerUrl: string;
  db: Database;
  /** The database as the worker role, which may remove. */
  workerDb: Database;
  vault: Vault;
  keyStore: KeyStore;
  blobs: SealedBlobs;
  blobStore: BlobStore;
  clock: Clock;
  signingKey: SigningKey;
  backupDays: number;
}

/** A customer that is gone, with the proof of it; or closed for now, and from when on it can be destroyed. */
export type Destroyed = { certificate: Signed<CustomerDestruction> } | { notBefore: Date };

/**
 * Destroys a customer: its keys, then its files and rows. The audit log, the agreements and the proofs of destruction stay.
 * Stopped half way, it is called again and goes on. What is still closed too short a time waits, unless there is a reason.
 */
export async function destroyCustomer(deps: Deps, act: Act, wish: Wish): Promise<Destroyed> {
  const { db, workerDb, clock, keyStore, backupDays } = deps;
  const { customerId } = act;
  const before = await db.tenant([customerId], (tx) => readCertificate(tx, customerId));
  if (before !== null) return { certificate: before };
  const { notBefore } = await db.tenant([customerId], (tx) => beginDestruction(tx, { clock, act }, wish));
  if (notBefore !== null) return { notBefore };
  if ((await keyStore.load(customerId)).length > 0) await keepAgreements(deps, customerId);
  else await letGoOfFiles(deps, customerId);
  await destroyCustomerKeys({ ...deps, store: keyStore, backupDays }, { ...act, action: 'vault.destroyed' });
  await withConnection(deps.ownerUrl, (client) => client.query('call carepost_let_remove()'));
  await removeAll({ db: workerDb, store: deps.blobStore }, customerId);
  return { certificate: await db.tenant([customerId], (tx) => certify(tx, deps, act)) };
}

async function removeAll(deps: { db: Database; store: BlobStore }, customerId: number): Promise<void> {
  const leaving = RECORDS.filter(({ outlives, table }) => outlives === undefined && table !== 'customer_keys');
  const tables = leaving.map(({ table }) => table);
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    for (const table of tables) await removeRows(deps, customerId, table);
    await removeFiles(deps, customerId);
    if (await deps.db.tenant([customerId], (tx) => areEmpty(tx, customerId, [...tables, 'blobs']))) return;
  }
  throw new Error('Something still writes for this customer: stop it and run this again');
}

async function areEmpty(tx: Tx, customerId: number, tables: string[]): Promise<boolean> {
  for (const table of tables) if (!(await isEmpty(tx, customerId, table))) return false;
  return true;
}

async function readCertificate(tx: Tx, customerId: number): Promise<Signed<CustomerDestruction> | null> {
  const row = await tx
    .selectFrom('customer_destructions')
    .select('certificate')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.certificate ?? null;
}

/** Writes the certificate, and that nothing of the customer is left, in one transaction. */
async function certify(tx: Tx, { clock, signingKey }: Deps, act: Act): Promise<Signed<CustomerDestruction>> {
  const { customerId } = act;
  const now = clock.now();
  const { username } = await tx
    .updateTable('customers')
    .set({ destroyed_at: now, security_contact: null })
    .where('id', '=', customerId)
    .returning('username')
    .executeTakeFirstOrThrow();
  const destruction = await tx
    .selectFrom('customer_destructions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  const keys = await tx
    .selectFrom('key_destructions')
    .select(['destroyed_at', 'key_store', sql<string | null>`backups_expire_on::text`.as('expiry')])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  const kept = RECORDS.flatMap(({ table, outlives }) => (outlives === undefined ? [] : [[table, outlives]]));
  const certificate = certifyCustomer(signingKey, {
    id: destruction.id,
    customerId,
    username,
    beganAt: destruction.began_at.toISOString(),
    at: now.toISOString(),
    actor: { kind: destruction.began_by_kind, id: destruction.began_by },
    reason: destruction.reason,
    keys: { store: keys.key_store, destroyedAt: keys.destroyed_at.toISOString(), backupsExpireOn: keys.expiry },
    removed: destruction.counts,
    kept: Object.fromEntries(kept),
  });
  await tx
    .updateTable('customer_destructions')
    .set({ certificate: JSON.stringify(certificate) })
    .where('customer_id', '=', customerId)
    .execute();
  const rows = Object.values(destruction.counts).reduce((sum, count) => sum + count, 0);
  await recordAct(tx, clock, act, { target: destruction.id, details: { rows } });
  return certificate;
}
