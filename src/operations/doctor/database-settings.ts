import {
  APP_CONNECTIONS,
  IMPORT_CONNECTIONS,
  LISTENING_CONNECTIONS,
  SEALER_CONNECTIONS,
  WORKER_CONNECTIONS,
} from '../../platform/db/connections.ts';
import { withDatabase } from '../../platform/db/database.ts';
import type { Client } from '../../platform/db/pool.ts';
import { JOB_CONNECTIONS } from '../../platform/jobs/runner.ts';
import { isHeard, listNodes } from '../../platform/nodes.ts';
import { type Check, failed, ok, type Verdict, warning } from './check.ts';

/** The settings of a server by their names. */
export type Settings = Map<string, string>;

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'];
/** What keeps the values of rows out of the server's log. */
const QUIET: Record<string, { isQuiet(value: string): boolean; set: string }> = {
  log_statement: { isQuiet: (value) => value === 'none', set: 'none' },
  log_min_error_statement: { isQuiet: (value) => ['panic', 'fatal'].includes(value), set: 'panic' },
  log_error_verbosity: { isQuiet: (value) => value === 'terse', set: 'terse' },
  log_parameter_max_length_on_error: { isQuiet: (value) => value === '0', set: '0' },
  log_min_duration_statement: { isQuiet: (value) => value === '-1', set: '-1' },
};

/** Every setting of the server as this session has it. */
export async function settingsOf(client: Client): Promise<Settings> {
  const { rows } = await client.query('select name, setting from pg_settings');
  return new Map(rows.map((row: { name: string; setting: string }) => [row.name, row.setting]));
}

/** Whether what is accepted outlives a power cut. */
export const durability: Check = {
  name: 'durability',
  needs: 'database',
  look: async ({ client }) => judgeDurability(await settingsOf(client)),
};

export function judgeDurability(settings: Settings): Verdict[] {
  const off = DURABLE.filter((name) => ['off', 'local'].includes(settings.get(name) ?? ''));
  const level = settings.get('wal_level');
  return [
    off.length === 0
      ? ok(`${DURABLE.join(', ')} are on`)
      : failed(`${off.join(', ')} off: accepted work could be lost`, `turn on ${off.join(', ')} in postgresql.conf`),
    settings.get('data_checksums') === 'on'
      ? ok('pages have checksums')
      : warning(
          'pages have no checksums: what a disk spoils goes unnoticed',
          'pg_checksums --enable, with PostgreSQL stopped',
        ),
    level === 'minimal'
      ? failed('wal_level is minimal: no backup can be taken', 'set wal_level = replica and restart PostgreSQL')
      : ok(`wal_level is ${level}`),
  ];
}

/** Whether the log of PostgreSQL could hold what rows hold. */
export const databaseLog: Check = {
  name: 'database-log',
  needs: 'database',
  async look({ client }) {
    const settings = await settingsOf(client);
    const loud = Object.entries(QUIET).filter(([name, { isQuiet }]) => !isQuiet(settings.get(name) ?? ''));
    if (loud.length === 0) return [ok('statements and values stay out of the log of PostgreSQL')];
    const names = loud.map(([name]) => name).join(', ');
    const set = loud.map(([name, { set: value }]) => `${name} = ${value}`).join(', ');
    return [warning(`by ${names} the log of PostgreSQL may quote statements or rows`, `set ${set}`)];
  },
};

const OWN_CONNECTIONS =
  APP_CONNECTIONS +
  WORKER_CONNECTIONS +
  SEALER_CONNECTIONS +
  JOB_CONNECTIONS +
  LISTENING_CONNECTIONS +
  IMPORT_CONNECTIONS;
const BESIDE = 5;

/** Whether there are connections enough for every node. */
export const connections: Check = {
  name: 'connections',
  needs: 'database',
  async look(bench) {
    const settings = await settingsOf(bench.client);
    const most = Number(settings.get('max_connections')) - Number(settings.get('superuser_reserved_connections'));
    const now = bench.clock.now();
    const all = await withDatabase(bench, 'app', (db) => db.untenanted(listNodes));
    const nodes = Math.max(1, all.filter((node) => isHeard(node, now)).length);
    const needed = nodes * OWN_CONNECTIONS + BESIDE;
    const found = `${most} connections for ${nodes} node(s), which may take ${needed}`;
    const todo = `set max_connections to ${Math.ceil((needed + 10) / 50) * 50}, or put a pooler in front (CAREPOST_DATABASE_DIRECT_URL)`;
    const isPooled = bench.config.databaseDirectUrl !== null;
    return [most >= needed || isPooled ? ok(found) : warning(found, todo)] satisfies Verdict[];
  },
};
