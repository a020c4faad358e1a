import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type { Log } from '../log.ts';
import { isPassingConflict } from './failure.ts';
import { createPool, type Pool, type PoolClient } from './pool.ts';
import { type LoginRole, urlForRole } from './roles.ts';
import type { Tables } from './tables.ts';

export type Tx = Transaction<Tables>;

const TRIES = 4;

/** A statement that is prepared under a name. */
export interface Query {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * The database as one of the product's roles sees it. Where two transactions wait for each other, PostgreSQL ends one of
 * them: its work is done again, and so must not leave anything behind but rows.
 */
export interface Database {
  /** A transaction in which row-level security shows the rows of these customers and no others. */
  tenant<T>(customers: readonly number[], work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A transaction without a customer: only lookup functions and tables without one answer. */
  untenanted<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same on a bare connection, for statements where every microsecond counts. */
  raw<T>(customers: readonly number[], work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** One statement that is a transaction by itself and says on its own for whom it acts. */
  call<Row>(query: Query): Promise<Row[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database as a role. */
export function openDatabase(deps: { ownerUrl: string; log: Log }, role: LoginRole, max: number): Database {
  const pool = createPool({ url: urlForRole(deps.ownerUrl, role), max, log: deps.log, name: role });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    tenant: (customers, work) =>
      persistently(() =>
        kysely.transaction().execute(async (tx) => {
          await tx.executeQuery(CompiledQuery.raw(showOnly(customers)));
          return work(tx);
        }),
      ),
    untenanted: (work) => persistently(() => kysely.transaction().execute(work)),
    raw: (customers, work) => runRaw(pool, customers, work),
    call: async <Row>(query: Query) => (await pool.query(query)).rows as Row[],
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    close: () => kysely.destroy(),
  };
}

async function persistently<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact();
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
