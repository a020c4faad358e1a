import type { Act } from '../platform/act.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Scope } from '../platform/http/access.ts';
import { timeOrderedId } from '../platform/ids.ts';
import { generateKey, type KeyMode } from './api-key-format.ts';
import { recordAct } from './audit/record.ts';
import './tables.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

export interface NewKey {
  name: string;
  mode: KeyMode;
  scopes: Scope[];
  expiresAt: Date | null;
}

export interface KeyDescription {
  id: string;
  prefix: string;
  name: string;
  mode: KeyMode;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Makes a key. This is the only time that it can be seen. */
export async function createApiKey(
  { db, clock }: Deps,
  act: Act,
  wanted: NewKey,
): Promise<{ id: string; key: string }> {
  const { key, publicId, secretHash } = generateKey(wanted.mode);
  const id = timeOrderedId(clock);
  await db.tenant([act.customerId], async (tx) => {
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
        created_at: clock.now(),
        expires_at: wanted.expiresAt,
        last_used_at: null,
        revoked_at: null,
      })
      .execute();
    await recordAct(tx, clock, act, { target: id, details: { scopes: wanted.scopes, mode: wanted.mode } });
  });
  return { id, key };
}

/** A customer's keys, newest first, as far as they can still be seen. */
export async function listApiKeys({ db }: Deps, customerId: number): Promise<KeyDescription[]> {
  const rows = await db.tenant([customerId], (tx) =>
    tx.selectFrom('api_keys').selectAll().where('customer_id', '=', customerId).orderBy('created_at', 'desc').execute(),
  );
  return rows.map((row) => ({
    id: row.id,
    prefix: `cp_${row.mode}_${row.public_id}`,
    name: row.name,
    mode: row.mode,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
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
