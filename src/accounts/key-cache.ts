import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Authenticator, KeyCaller, Scope } from '../platform/http/access.ts';
import type { Log } from '../platform/log.ts';
import { hashKey, publicIdOf } from './api-key-format.ts';

/** How long a looked-up key is believed; revocation takes effect within this on every node. */
const TRUST_MS = 3_000;
const IDLE_MS = 60_000;

interface KnownKey {
  caller: KeyCaller;
  secretHash: Buffer;
  endsAt: number;
  checkedAt: number;
  usedAt: number;
  written: number;
}

interface FoundRow {
  id: string;
  customer_id: number;
  username: string;
  public_id: string;
  secret_hash: Buffer;
  mode: 'live' | 'test';
  scopes: Scope[];
  sending_domains: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  agreement_in_force: boolean;
}

export interface KeyCache extends Authenticator {
  /** Looks all keys in use up again with one query; called once a second. */
  refresh(): Promise<void>;
  /** Notes when keys were last used; called once a minute. */
  writeLastUsed(): Promise<void>;
}

/** Knows the keys in use, so that a request does not wait for the database. */
export function createKeyCache({ db, clock, log }: { db: Database; clock: Clock; log: Log }): KeyCache {
  const known = new Map<string, KnownKey>();

  async function lookUp(publicIds: string[]): Promise<void> {
    const startedAt = performance.now();
    const today = clock.now().toISOString().slice(0, 10);
    const { rows } = await db.untenanted((tx) =>
      sql<FoundRow>`select * from find_callers(${publicIds}, ${today}::date)`.execute(tx),
    );
    const found = new Map(rows.map((row) => [row.public_id, row]));
    for (const publicId of publicIds) {
      const row = found.get(publicId);
      if (row === undefined || row.revoked_at !== null) known.delete(publicId);
      else known.set(publicId, toKnown(row, startedAt, known.get(publicId)));
    }
  }

  function callerOf(publicId: string, key: string): KeyCaller | null {
    const entry = known.get(publicId);
    if (entry === undefined || !timingSafeEqual(hashKey(key), entry.secretHash)) return null;
    if (clock.now().getTime() >= entry.endsAt) return null;
    entry.usedAt = performance.now();
    return entry.caller;
  }

  return {
    find(key) {
      const publicId = publicIdOf(key);
      if (publicId === null) return null;
      const entry = known.get(publicId);
      if (entry !== undefined && performance.now() - entry.checkedAt < TRUST_MS) return callerOf(publicId, key);
      return lookUp([publicId]).then(() => callerOf(publicId, key));
    },

    async refresh() {
      const now = performance.now();
      for (const [publicId, entry] of known) if (now - entry.usedAt > IDLE_MS) known.delete(publicId);
      if (known.size === 0) return;
      await lookUp([...known.keys()]).catch((error) => log.warn({ err: error }, 'keys were not refreshed'));
    },

    async writeLastUsed() {
      const used = [...known.values()].filter((entry) => entry.usedAt > entry.written);
      for (const [customerId, entries] of Map.groupBy(used, (entry) => entry.caller.customerId)) {
        const ids = entries.map((entry) => entry.caller.keyId);
        try {
          await noteUse(db, clock, customerId, ids);
          for (const entry of entries) entry.written = performance.now();
        } catch (error) {
          log.warn({ err: error }, 'last use of keys was not written');
        }
      }
    },
  };
}

async function noteUse(db: Database, clock: Clock, customerId: number, keyIds: string[]): Promise<void> {
  await db.tenant([customerId], (tx) =>
    tx
      .updateTable('api_keys')
      .set({ last_used_at: clock.now() })
      .where('customer_id', '=', customerId)
      .where('id', 'in', keyIds)
      .execute(),
  );
}

function toKnown(row: FoundRow, checkedAt: number, before: KnownKey | undefined): KnownKey {
  return {
    caller: {
      customerId: row.customer_id,
      username: row.username,
      keyId: row.id,
      person: null,
      mode: row.mode,
      scopes: new Set(row.scopes),
      sendingDomains: row.sending_domains,
      agreementInForce: row.agreement_in_force,
    },
    secretHash: row.secret_hash,
    endsAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    checkedAt,
    usedAt: before?.usedAt ?? 0, // looked up is not used: the secret may yet prove wrong
    written: before?.written ?? 0,
  };
}
