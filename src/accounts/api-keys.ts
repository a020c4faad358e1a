import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Scope } from '../platform/http/access.ts';
import { timeOrderedId } from '../platform/ids.ts';
import { generateKey, hashKey, type KeyMode, writeKey } from './api-key-format.ts';
import { recordAct } from './audit/record.ts';
import { requireOpen } from './customers.ts';
import type { Who } from './sessions/begin-session.ts';
import './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

export interface NewKey {
  name: string;
  mode: KeyMode;
  scopes: Scope[];
  /** The only domains that it may send from; all of the customer's where none is named. */
  sendingDomains?: string[];
  expiresAt: Date | null;
  /** The person it ends with; nobody where it was made on the command line. */
  createdBy?: string;
}

export interface KeyDescription {
  id: string;
  prefix: string;
  name: string;
  mode: KeyMode;
  scopes: Scope[];
  sendingDomains: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** The address of whoever made it in the dashboard. */
  createdBy: string | null;
}

/** What a key that may be asked for again is made with: its secret, by its id, and what is written with it. */
export interface AskedAgain {
  secretOf(id: string): string;
  writeWith(tx: Tx, id: string): Promise<void>;
}

/** Makes a key for whoever is still there. This is the only time that it can be seen, unless it may be asked for again. */
export async function createApiKey(
  { db, clock }: Deps,
  act: Act,
  wanted: NewKey,
  again: AskedAgain | null = null,
): Promise<{ id: string; key: string }> {
  const id = timeOrderedId(clock);
  const { key, publicId, secretHash } = generateKey(wanted.mode, again?.secretOf(id));
  await db.tenant([act.customerId], async (tx) => {
    await requireOpen(tx, act.customerId);
    if (wanted.createdBy !== undefined) await holdMaker(tx, act.customerId, wanted.createdBy);
    await tx
      .insertInto('api_keys')
      .values({
        id,
        customer_id: act.customerId,
        public_id: publicId,
        secret_hash: secretHash,
        name: wanted.name,
        mode: wanted.mode,
        scopes: wanted.scopes,
        sending_domains: wanted.sendingDomains ?? [],
        created_at: clock.now(),
        expires_at: wanted.expiresAt,
        last_used_at: null,
        revoked_at: null,
        created_by: wanted.createdBy ?? null,
      })
      .execute();
    await recordAct(tx, clock, act, { target: id, details: { scopes: wanted.scopes, mode: wanted.mode } });
    await again?.writeWith(tx, id);
  });
  return { id, key };
}

/** A key in force once more, for whoever made it and has the secret's origin; that it was shown again is written down. */
export async function showApiKeyAgain(
  { db, clock }: Deps,
  act: Act,
  id: string,
  secret: string,
): Promise<{ id: string; key: string }> {
  return db.tenant([act.customerId], async (tx) => {
    const found = await tx
      .selectFrom('api_keys')
      .select(['mode', 'public_id', 'secret_hash'])
      .where('customer_id', '=', act.customerId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (found === undefined) throw new AppError('conflict', 'This key was made and has been revoked since');
    const key = writeKey(found.mode, found.public_id, secret);
    if (!hashKey(key).equals(found.secret_hash))
      throw new Error('the secret is not the one that the key was made with');
    await recordAct(tx, clock, act, { target: id });
    return { id, key };
  });
}

/** A customer's keys, newest first, as far as they can still be seen. */
export async function listApiKeys({ db }: Deps, customerId: number): Promise<KeyDescription[]> {
  const rows = await db.tenant([customerId], (tx) =>
    tx
      .selectFrom('api_keys as k')
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'k.created_by').on('u.customer_id', '=', customerId))
      .selectAll('k')
      .select('u.email as maker')
      .where('k.customer_id', '=', customerId)
      .orderBy('k.created_at', 'desc')
      .execute(),
  );
  return rows.map((row) => ({
    id: row.id,
    prefix: `cp_${row.mode}_${row.public_id}`,
    name: row.name,
    mode: row.mode,
    scopes: row.scopes,
    sendingDomains: row.sending_domains,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    createdBy: row.maker,
  }));
}

/** Ends a key; every node refuses it within five seconds. */
export async function revokeApiKey({ db, clock }: Deps, act: Act, id: string): Promise<void> {
  await db.tenant([act.customerId], async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('api_keys')
      .set({ revoked_at: clock.now() })
      .where('customer_id', '=', act.customerId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('not_found', 'No such key in force');
    await recordAct(tx, clock, act, { target: id });
  });
}

/** Ends every key of a customer; returns how many were in force. */
export async function revokeAllKeys(tx: Tx, clock: Clock, act: Act): Promise<number> {
  const revoked = await tx
    .updateTable('api_keys')
    .set({ revoked_at: clock.now() })
    .where('customer_id', '=', act.customerId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of revoked) await recordAct(tx, clock, act, { target: id });
  return revoked.length;
}

/** Ends the keys that a person made; returns how many were in force. */
export async function revokeKeysOf(tx: Tx, clock: Clock, { customerId, userId }: Who): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ revoked_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Lets nobody remove a person, or take their role, before the key is there to be ended with that. */
async function holdMaker(tx: Tx, customerId: number, userId: string): Promise<void> {
  const held = await tx
    .selectFrom('users')
    .select('role')
    .where('customer_id', '=', customerId)
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (held === undefined) throw new AppError('signed_out');
  if (held.role !== 'owner' && held.role !== 'admin') throw new AppError('forbidden');
}
