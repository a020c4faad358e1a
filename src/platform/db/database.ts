import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type { Log } from '../log.ts';
import { isPassingConflict } from './failure.ts';
import { createPool, type Pool, type PoolClient } from './pool.ts';
import { type LoginRole, urlForRole } from './roles.ts';
import type { Tables } from './tables.ts';

export type Tx = Transaction<Tables>;

const TRIES = 4;
const SNAPSHOT = 'begin isolation level repeatable read';

/** A statement that is prepared under a name. */
export interface Query {
  name: string;
  text: string;
  values: unknown[];
}

/** The connections of a pool: at work, open and idle, how many there may be, and how many wait for one. */
export interface Load {
  inUse: number;
  idle: number;
  waiting: number;
  most: number;
}

/**
 * The database as one of the product's roles sees it. Where two transactions wait for each other, PostgreSQL ends one of
 * them: its work is done again, and so must not leave anything behind but rows.
 */
export interface Database {
  /** A transaction in which row-level security shows the rows of these customers and no others. */
  tenant<T>(customers: readonly number[], work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same with all that it reads as it stood at one moment, where several statements tell of one thing. */
  snapshot<T>(customers: readonly number[], work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A transaction without a customer: only lookup functions and tables without one answer. */
  untenanted<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same on a bare connection, for statements where every microsecond counts. */
  raw<T>(customers: readonly number[], work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** One statement that is a transaction by itself and says on its own for whom it acts. */
  call<Row>(query: Query): Promise<Row[]>;
  ping(): Promise<void>;
  /** How busy its connections are just now. */
  load(): Load;
  close(): Promise<void>;
}

interface Deps {
  ownerUrl: string;
  /** Where connections are lent by the transaction, in place of the owner's address. */
  poolerUrl?: string | null;
  log: Log;
}

/** Opens the database as a role. */
export function openDatabase({ ownerUrl, poolerUrl = null, log }: Deps, role: LoginRole, max: number): Database {
  const url = urlForRole(poolerUrl ?? ownerUrl, role);
  const pool = createPool({ url, max, log, name: role, lent: poolerUrl !== null });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    tenant: (customers, work) => persistently(() => transact(kysely, `begin; ${showOnly(customers)}`, work)),
    snapshot: (customers, work) => persistently(() => transact(kysely, `${SNAPSHOT}; ${showOnly(customers)}`, work)),
    untenanted: (work) => persistently(() => transact(kysely, 'begin', work)),
    raw: (customers, work) => persistently(() => runRaw(pool, customers, work)),
    call: <Row>(query: Query) => persistently(async () => (await pool.query(query)).rows as Row[]),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    load: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: max,
    }),
    close: () => kysely.destroy(),
  };
}

/** Does work on one connection to the database as a role, for commands and checks. */
export async function withDatabase<T>(deps: Deps, role: LoginRole, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(deps, role, 1);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Kysely's own transactions would ask the server once for the beginning and once more for whose rows are shown. */
function transact<T>(kysely: Kysely<Tables>, beginning: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    const say = (words: string) => connection.executeQuery(CompiledQuery.raw(words));
    try {
      await say(beginning);
      const result = await work(connection as Tx);
      await say('commit');
      return result;
    } catch (error) {
      await say('rollback').catch(() => undefined); // what went wrong first is what is told
      throw error;
    }
  });
}

async function persistently<T>(attemptIt: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptIt();
    } catch (error) {
      if (!isPassingConflict(error) || attempt === TRIES) throw error;
    }
  }
}

function showOnly(customers: readonly number[]): string {
  if (!customers.every(Number.isSafeInteger)) throw new TypeError('customer ids are integers');
  return `set local carepost.customers = '{${customers.join(',')}}'`;
}

async function runRaw<T>(
  pool: Pool,
  customers: readonly number[],
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query(`begin; ${showOnly(customers)}`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection that failed is closed rather than rolled back: it may hang or be half-way through a reply.
    client.release(failure !== undefined);
  }
}
