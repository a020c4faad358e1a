import pg from 'pg';
import type { Log } from '../log.ts';
import { isUnanswered } from './failure.ts';
import { preparedName } from './prepared.ts';

export type { PoolClient } from 'pg';
export type Pool = pg.Pool;
export type Client = pg.ClientBase;

// Counts and decimal ids stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const CONNECT_TIMEOUT_MS = 2_000;
const PATIENT_CONNECT_TIMEOUT_MS = 15_000;
const QUERY_TIMEOUT_MS = 12_000;

interface PoolOptions {
  url: string;
  max: number;
  log: Log;
  name: string;
  /** For whoever cannot take it that a first connection is slow, as on a machine that has only just started. */
  patient?: boolean;
  /** Set where a pooler lends each transaction another connection, on which nothing can be prepared under a name. */
  lent?: boolean;
}

/** A pool whose connections and queries end within a known time, also when the server hangs. */
export function createPool({ url, max, log, name, patient = false, lent = false }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: `carepost-${name}`,
    connectionTimeoutMillis: patient ? PATIENT_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    Client: lent ? NamelessClient : PreparingClient,
  });
  pool.on('error', (error) => {
    // A server that stops right behind its pools may be quicker than the last of their connections.
    if (!pool.ending) log.warn({ err: error, pool: name }, 'lost an idle database connection');
  });
  pool.on('connect', (client) => client.on('error', () => {})); // the query under way fails with it
  return pool;
}

/**
 * A connection that ends itself once a query on it was not answered in time. What was asked may still be carried out: whoever
 * has the connection next would wait for that, and stand in its transaction.
 */
class ImpatientClient extends pg.Client {
  override query: pg.Client['query'] = (...asked: unknown[]) => {
    const answer = Reflect.apply(pg.Client.prototype.query, this, this.rewrite(asked));
    if (answer instanceof Promise) void answer.catch((error: Error) => this.#endUnanswered(error));
    return answer;
  };

  protected rewrite(asked: unknown[]): unknown[] {
    return asked;
  }

  #endUnanswered(error: Error): void {
    if (isUnanswered(error)) void this.end();
  }
}

/** One on which statements are prepared that ask for it. */
class PreparingClient extends ImpatientClient {
  protected override rewrite([first, ...rest]: unknown[]): unknown[] {
    const name = typeof first === 'string' ? preparedName(first) : null;
    const [values, ...more] = rest;
    return name === null ? [first, ...rest] : [{ name, text: first, values }, ...more];
  }
}

/** One on which every statement is parsed anew, whatever name it has. */
class NamelessClient extends ImpatientClient {
  protected override rewrite([first, ...rest]: unknown[]): unknown[] {
    return [withoutName(first), ...rest];
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query) || 'submit' in query) return query;
  const { name: _, ...nameless } = query;
  return nameless;
}

/** Runs work on one connection of its own, for start-up and commands. */
export async function withConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENT_CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // a lost connection also fails the query under way
  try {
    await client.connect(); // one that fails to log in would stay open until the server tires of it
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether a server answers at an address with these credentials. */
export async function canConnect(url: string): Promise<boolean> {
  try {
    await withConnection(url, (client) => client.query('select 1'));
    return true;
  } catch {
    return false;
  }
}
