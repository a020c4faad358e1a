import type { ExpressionBuilder } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Query, Tx } from '../db/database.ts';
import { isDatabaseAway, violatedConstraint } from '../db/failure.ts';
import { toHex } from '../db/packed-bytes.ts';
import type { Tables } from '../db/tables.ts';
import { AppError } from '../errors.ts';
import type { CustomerVault, Vault } from '../vault/vault.ts';

declare module '../db/tables.ts' {
  interface Tables {
    idempotency_keys: {
      customer_id: number;
      operation: string;
      key_hash: Buffer;
      request_hash: Buffer;
      status: number;
      reply: Buffer;
      created_at: Date;
    };
  }
}

const LIFETIME_MS = 24 * 3600 * 1000;
const LONGEST_KEY = 255;
const TABLE = 'idempotency_keys';

/** A request that asked to be carried out once. */
export interface IdempotencyClaim {
  customerId: number;
  operation: string;
  keyHash: Buffer;
  requestHash: Buffer;
}

type Named = Omit<IdempotencyClaim, 'requestHash'>;

/** The row that remembers a reply, to be written in the transaction of the act it answers. */
export interface IdempotencyRow extends IdempotencyClaim {
  status: number;
  reply: Buffer;
}

export interface KeptReply {
  status: number;
  body: unknown;
}

export interface Idempotency {
  claim(customerId: number, operation: string, key: string, body: unknown): Promise<IdempotencyClaim>;
  /**
   * Carries out a claimed request unless it was carried out before, and tells which. Requests with
   * the same key wait for the first one; on other nodes the unique key of the row decides. Where the first one fails because
   * the database is away or silent, they are told with it: each would begin to wait anew, one after the other.
   */
  once(claim: IdempotencyClaim, carryOut: () => Promise<KeptReply>): Promise<KeptReply & { replayed: boolean }>;
  /** Whether a request with this key was carried out, and not refused; its body is still to be compared. */
  wasCarriedOut(customerId: number, operation: string, key: string): Promise<boolean>;
  /** What was answered to a request with this key, whatever was asked by it; null where nothing was yet. */
  findReply(customerId: number, operation: string, key: string): Promise<KeptReply | null>;
  /** The row to write with the act. */
  rowFor(claim: IdempotencyClaim, reply: KeptReply): Promise<IdempotencyRow>;
  /** Keeps a reply in the transaction of the act; a second one with the same key fails that transaction. */
  keepWith(tx: Tx, claim: IdempotencyClaim | null, reply: KeptReply): Promise<void>;
  /** Keeps a reply that changed nothing, such as a refusal; fails where another one was kept meanwhile. */
  keep(claim: IdempotencyClaim, reply: KeptReply): Promise<void>;
}

/** Remembers the first reply to each Idempotency-Key for a day. */
export function createIdempotency(deps: { db: Database; vault: Vault; clock: Clock }): Idempotency {
  const { db, vault, clock } = deps;
  const inFlight = new Map<string, Promise<unknown>>();

  async function find(claim: IdempotencyClaim): Promise<KeptReply | null> {
    const row = await db.tenant([claim.customerId], async (tx) => {
      await forgetExpired(tx, claim, clock);
      return tx.selectFrom(TABLE).selectAll().where(ofClaim(claim)).executeTakeFirst();
    });
    if (row === undefined) return null;
    if (!row.request_hash.equals(claim.requestHash)) throw new AppError('idempotency_conflict');
    return openReply(claim, row);
  }

  async function openReply(claim: Named, { status, reply }: { status: number; reply: Buffer }): Promise<KeptReply> {
    const keys = await vault.of(claim.customerId);
    return { status, body: JSON.parse(keys.open(placeOf(claim), reply).toString()) };
  }

  async function findNamed(named: Named) {
    return db.tenant([named.customerId], (tx) =>
      tx
        .selectFrom(TABLE)
        .select(['status', 'reply'])
        .where(ofClaim(named))
        .where('created_at', '>=', oldest(clock))
        .executeTakeFirst(),
    );
  }

  async function rowFor(claim: IdempotencyClaim, reply: KeptReply): Promise<IdempotencyRow> {
    const keys = await vault.of(claim.customerId);
    return { ...claim, status: reply.status, reply: keys.seal(placeOf(claim), JSON.stringify(reply.body)) };
  }

  async function findOrCarryOut(claim: IdempotencyClaim, carryOut: () => Promise<KeptReply>) {
    const kept = await find(claim);
    if (kept !== null) return { ...kept, replayed: true };
    try {
      return { ...(await carryOut()), replayed: false };
    } catch (error) {
      // It may have been carried out on another node meanwhile, which used up what could be had once.
      const isRefused = error instanceof AppError && error.status < 500;
      if (!isRefused && violatedConstraint(error)?.startsWith(TABLE) !== true) throw error;
      const first = await find(claim);
      if (first === null) throw error;
      return { ...first, replayed: true };
    }
  }

  return {
    rowFor,
    async claim(customerId, operation, key, body) {
      if (key.length === 0 || key.length > LONGEST_KEY) {
        throw new AppError('invalid_request', `Idempotency-Key: takes 1 to ${LONGEST_KEY} characters`);
      }
      const keys = await vault.of(customerId);
      return {
        customerId,
        operation,
        keyHash: hashOfKey(keys, key),
        requestHash: keys.blindIndex('idempotent request', JSON.stringify(body)),
      };
    },
    async wasCarriedOut(customerId, operation, key) {
      const keyHash = hashOfKey(await vault.of(customerId), key);
      const row = await findNamed({ customerId, operation, keyHash });
      return row !== undefined && row.status < 400;
    },
    async findReply(customerId, operation, key) {
      const named = { customerId, operation, keyHash: hashOfKey(await vault.of(customerId), key) };
      const row = await findNamed(named);
      return row === undefined ? null : openReply(named, row);
    },
    async once(claim, carryOut) {
      const name = `${claim.customerId}/${claim.operation}/${claim.keyHash.toString('base64')}`;
      for (let first = inFlight.get(name); first !== undefined; first = inFlight.get(name)) {
        await first.catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error;
        });
      }
      const outcome = findOrCarryOut(claim, carryOut).finally(() => inFlight.delete(name));
      inFlight.set(name, outcome);
      return outcome;
    },
    async keepWith(tx, claim, reply) {
      if (claim === null) return;
      await tx
        .insertInto(TABLE)
        .values(columnsOf(await rowFor(claim, reply), clock))
        .execute();
    },
    async keep(claim, reply) {
      const row = await rowFor(claim, reply);
      await db.tenant([claim.customerId], (tx) => tx.insertInto(TABLE).values(columnsOf(row, clock)).execute());
    },
  };
}

const KEEP_REPLIES = `
  insert into idempotency_keys (customer_id, operation, key_hash, request_hash, status, reply, created_at)
  select * from json_to_recordset($1::json)
    as i (customer_id int, operation text, key_hash bytea, request_hash bytea, status smallint, reply bytea, created_at timestamptz)
  order by customer_id, operation, key_hash`;

/** Keeps replies of several acts, in the transaction of these acts. */
export function keepRepliesQuery(replies: { row: IdempotencyRow; at: Date }[]): Query {
  const rows = replies.map(({ row, at }) => ({
    customer_id: row.customerId,
    operation: row.operation,
    key_hash: toHex(row.keyHash),
    request_hash: toHex(row.requestHash),
    status: row.status,
    reply: toHex(row.reply),
    created_at: at,
  }));
  return { name: 'keep-replies', text: KEEP_REPLIES, values: [JSON.stringify(rows)] };
}

/** Deletes what has expired; run by cron as the worker role. */
export async function sweepIdempotencyKeys(db: Database, clock: Clock): Promise<void> {
  await db.untenanted(async (tx) => {
    await tx.deleteFrom(TABLE).where('created_at', '<', oldest(clock)).execute();
  });
}

function columnsOf(row: IdempotencyRow, clock: Clock) {
  return {
    customer_id: row.customerId,
    operation: row.operation,
    key_hash: row.keyHash,
    request_hash: row.requestHash,
    status: row.status,
    reply: row.reply,
    created_at: clock.now(),
  };
}

/** Keyed, since a bare hash of a guessable request would tell what it was. */
function hashOfKey(keys: CustomerVault, key: string): Buffer {
  return keys.blindIndex('idempotency key', key);
}

function ofClaim({ customerId, operation, keyHash }: Named) {
  return (eb: ExpressionBuilder<Tables, typeof TABLE>) =>
    eb.and({ customer_id: customerId, operation, key_hash: keyHash });
}

async function forgetExpired(tx: Tx, claim: IdempotencyClaim, clock: Clock): Promise<void> {
  await tx.deleteFrom(TABLE).where(ofClaim(claim)).where('created_at', '<', oldest(clock)).execute();
}

function oldest(clock: Clock): Date {
  return new Date(clock.now().getTime() - LIFETIME_MS);
}

function placeOf(claim: Named) {
  return { table: TABLE, row: `${claim.operation}/${claim.keyHash.toString('hex')}`, column: 'reply' };
}
