import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { type KeyStore, keysAreGone, type Purpose, type StoredKey } from './key-store.ts';
import type { MasterKeys } from './master-key.ts';
import { SealBroken } from './seal-broken.ts';
import { openValue, type Place, sealValue, versionOf } from './sealed-column.ts';
import { toKeyObject, unwrapKey, wrapKey } from './wrap.ts';
import './tables.ts';

/** What a node may keep a customer's keys for before it asks the store again. */
const CACHE_MS = 3_000;
/** A new version seals only once every node has had the time to see it. */
const SETTLING_MS = 2 * CACHE_MS;
const RESERVED_BLOCK = 2 ** 18;
/** Random nonces allow 2^32 seals per key; a new version begins long before. */
const MOST_SEALS = 2 ** 30;

type PlaceIn = Omit<Place, 'customerId'>;

/** One customer's keys, ready for use. */
export interface CustomerVault {
  seal(place: PlaceIn, plain: Uint8Array | string): Buffer;
  open(place: PlaceIn, sealed: Buffer): Buffer;
  /** A keyed fingerprint under which equal values of one column are found without being readable. */
  blindIndex(column: string, value: string): Buffer;
  /** The version that seals now. */
  readonly version: number;
}

export interface Vault {
  of(customerId: number): Promise<CustomerVault>;
  createKeys(customerId: number): Promise<void>;
  /** Begins a new version of a customer's seal key and returns its number; old ones go on opening. */
  rotate(customerId: number): Promise<number>;
  /** Waits until the newest version of a customer's seal key is the one that seals. */
  settled(customerId: number): Promise<void>;
  /** Forgets what is cached of a customer, on this node. */
  forget(customerId: number): void;
  /** Wraps a customer's keys with the current master key. */
  rewrap(customerId: number): Promise<void>;
}

interface Deps {
  db: Database;
  store: KeyStore;
  masterKeys: MasterKeys;
  clock: Clock;
  sealsPerVersion?: number;
}

interface Loaded {
  vault: CustomerVault;
  freshUntil: number;
}

/** Opens the vault over a key store. */
export function createVault(deps: Deps): Vault {
  const { db, store, masterKeys, clock, sealsPerVersion = MOST_SEALS } = deps;
  const loaded = new Map<number, Loaded>();
  const loading = new Map<number, Promise<CustomerVault>>();
  const budgets = new Map<string, number>();

  async function loadStored(customerId: number): Promise<StoredKey[]> {
    const stored = await store.load(customerId);
    if (stored.length === 0) throw keysAreGone();
    return stored;
  }

  async function load(customerId: number): Promise<CustomerVault> {
    const stored = await loadStored(customerId);
    const sealing = sealingVersion(stored, clock.now());
    await ensureBudget(customerId, sealing);
    const vault = openKeys(customerId, stored, sealing);
    loaded.set(customerId, { vault, freshUntil: performance.now() + CACHE_MS });
    return vault;
  }

  async function of(customerId: number): Promise<CustomerVault> {
    const known = loaded.get(customerId);
    if (known !== undefined && known.freshUntil > performance.now()) return known.vault;
    let pending = loading.get(customerId);
    if (pending === undefined) {
      pending = load(customerId).finally(() => loading.delete(customerId));
      loading.set(customerId, pending);
    }
    return pending;
  }

  async function ensureBudget(customerId: number, version: number): Promise<void> {
    const name = `${customerId}/${version}`;
    if ((budgets.get(name) ?? 0) > RESERVED_BLOCK / 2) return;
    const reserved = await reserveSeals(db, customerId, version);
    budgets.set(name, (budgets.get(name) ?? 0) + RESERVED_BLOCK);
    if (reserved > sealsPerVersion) await rotate(customerId);
  }

  function spend(customerId: number, version: number): void {
    const name = `${customerId}/${version}`;
    const left = budgets.get(name) ?? 0;
    if (left === 0) throw new AppError('unavailable', 'Waiting for a key', { retryAfterSeconds: 1 });
    budgets.set(name, left - 1);
  }

  function openKeys(customerId: number, stored: StoredKey[], version: number): CustomerVault {
    const keys = new Map<number, KeyObject>();
    let index: KeyObject | undefined;
    for (const key of stored) {
      const object = toKeyObject(unwrapKey(masterKeys, customerId, key));
      if (key.purpose === 'seal') keys.set(key.version, object);
      else index = object;
    }
    const sealing = keys.get(version) as KeyObject;
    return {
      version,
      seal(place, plain) {
        spend(customerId, version);
        return sealValue(sealing, version, { customerId, ...place }, plain);
      },
      open(place, sealed) {
        const key = keys.get(versionOf(sealed));
        if (key === undefined) throw new SealBroken();
        return openValue(key, { customerId, ...place }, sealed);
      },
      blindIndex(column, value) {
        const hmac = createHmac('sha256', index as KeyObject).update(`${column}\0${value}`);
        // Node makes a string of it in half the time that memory of its own takes.
        return Buffer.from(hmac.digest('binary').slice(0, 16), 'binary');
      },
    };
  }

  function newKey(customerId: number, purpose: Purpose, version: number): StoredKey {
    const master = masterKeys.current();
    const wrapped = wrapKey(master, { customerId, purpose, version }, randomBytes(32));
    return { purpose, version, masterKeyId: master.id, wrapped, createdAt: clock.now() };
  }

  async function rotate(customerId: number): Promise<number> {
    const version = newestVersion(await loadStored(customerId)) + 1;
    await store.add(customerId, [newKey(customerId, 'seal', version)]);
    loaded.delete(customerId);
    return version;
  }

  return {
    of,
    rotate,
    async settled(customerId) {
      const newest = newestVersion(await loadStored(customerId));
      while ((await of(customerId)).version < newest) await sleep(CACHE_MS);
    },
    createKeys: (customerId) => store.add(customerId, [newKey(customerId, 'seal', 1), newKey(customerId, 'index', 1)]),
    forget: (customerId) => void loaded.delete(customerId),
    async rewrap(customerId) {
      const master = masterKeys.current();
      const keys = await store.load(customerId);
      const stale = keys.filter((key) => key.masterKeyId !== master.id);
      const rewrapped = stale.map((key) => {
        const { purpose, version } = key;
        const plain = unwrapKey(masterKeys, customerId, key);
        return { ...key, masterKeyId: master.id, wrapped: wrapKey(master, { customerId, purpose, version }, plain) };
      });
      if (rewrapped.length > 0) await store.rewrap(customerId, rewrapped);
    },
  };
}

function newestVersion(stored: StoredKey[]): number {
  return Math.max(0, ...stored.filter((key) => key.purpose === 'seal').map((key) => key.version));
}

function sealingVersion(stored: StoredKey[], now: Date): number {
  const settled = stored.filter((key) => key.version === 1 || key.createdAt.getTime() + SETTLING_MS <= now.getTime());
  return newestVersion(settled);
}

async function reserveSeals(db: Database, customerId: number, version: number): Promise<number> {
  return db.tenant([customerId], async (tx) => {
    const { reserved } = await tx
      .insertInto('key_usage')
      .values({ customer_id: customerId, version, reserved: RESERVED_BLOCK })
      .onConflict((conflict) =>
        conflict
          .columns(['customer_id', 'version'])
          .doUpdateSet({ reserved: sql`key_usage.reserved + ${RESERVED_BLOCK}` }),
      )
      .returning('reserved')
      .executeTakeFirstOrThrow();
    return reserved;
  });
}
