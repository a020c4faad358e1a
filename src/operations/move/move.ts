import { copyAcross } from '../../platform/db/copy.ts';
import { migrate, UNFINISHED_MOVE } from '../../platform/db/migrate.ts';
import { type Client, withConnection } from '../../platform/db/pool.ts';
import { migrateJobs } from '../../platform/jobs/runner.ts';
import type { Log } from '../../platform/log.ts';
import { listForced, listForeignKeys, listPartitions, listSequences, listTables, type Table } from './catalogue.ts';
import { compareAll, compareWalls, type Holding } from './compare.ts';
import { makePartitions } from './make-partitions.ts';
import {
  claimTarget,
  refuseOtherMigrations,
  refuseWhileServing,
  requireKnownVersion,
  requireSameMigrations,
  takeTarget,
} from './refusals.ts';
import { valuesFor } from './transaction-numbers.ts';

// Values have to read the same in both databases, and nothing may end what takes hours.
const SESSION = `set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set search_path = ''; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

interface Addresses {
  /** The owner's address of the database as it is. */
  from: string;
  /** The owner's address of an empty one. */
  to: string;
}

/**
 * Copies a whole database into an empty one and compares them, in one transaction of the target: cut off at any moment,
 * it holds nothing but its schema and the mark of an unfinished move. The source is only read.
 */
export async function moveDatabase({ log }: { log: Log }, { from, to }: Addresses): Promise<Holding[]> {
  return withConnection(from, (source) =>
    withConnection(to, async (target) => {
      await refuseWhileServing(source);
      const only = await requireKnownVersion(source);
      await takeTarget(target);
      await claimTarget(target);
      await migrate(to, { only });
      await refuseOtherMigrations(target, only);
      await migrateJobs(to, log);
      await makePartitions(to, await listPartitions(source));
      return copyAll(source, target);
    }),
  );
}

async function copyAll(source: Client, target: Client): Promise<Holding[]> {
  for (const client of [source, target]) await client.query(SESSION);
  await beginAlone(source);
  await target.query('begin');
  await requireSameMigrations(source, target);
  const tables = await listTables(source);
  requireTables(tables, await listTables(target));
  const forced = await listForced(source);
  // The transaction that lets the owner read is rolled back in the end.
  await openWalls(source, tables);
  await openWalls(target, tables);
  const keys = await listForeignKeys(target);
  for (const { table, name } of keys) await target.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) await copyTable(source, target, table);
  for (const { name, value, called } of await listSequences(source)) {
    await target.query('select setval($1::regclass, $2, $3)', [name, value, called]);
  }
  for (const { table, name, definition } of keys) {
    await target.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  const holdings = await compareAll(source, target, tables);
  await closeWalls(target, tables);
  await compareWalls(forced, target);
  await target.query(`drop table public.${UNFINISHED_MOVE}`);
  await refuseWhileServing(source);
  await target.query('commit');
  await target.query('analyze');
  await source.query('rollback');
  return holdings;
}

/** Begins a transaction in which nobody else reads or writes. LOCK takes no snapshot: what others did until then is seen. */
async function beginAlone(source: Client): Promise<void> {
  const names = (await listTables(source)).map(({ name }) => name).join(', ');
  await source.query('begin isolation level repeatable read; set local lock_timeout = 2000');
  await source.query(`lock table ${names} in access exclusive mode`);
}

/** Triggers would count and tell again what was counted and told when the rows first came. */
async function copyTable(source: Client, target: Client, table: Table): Promise<void> {
  const { name, columns } = table;
  await target.query(`alter table ${name} disable trigger user`);
  await target.query(`delete from ${name}`); // what migrations put there
  await copyAcross([source, `select ${valuesFor(table)} from ${name}`], [target, name, columns]);
  await target.query(`alter table ${name} enable trigger user`);
}

async function openWalls(client: Client, tables: Table[]): Promise<void> {
  for (const { name } of tables.filter(({ forced }) => forced)) {
    await client.query(`alter table ${name} no force row level security`);
  }
}

async function closeWalls(client: Client, tables: Table[]): Promise<void> {
  for (const { name } of tables.filter(({ forced }) => forced)) {
    await client.query(`alter table ${name} force row level security`);
  }
}

/** The job library may be newer in the target, which then has more, but lacks nothing. */
function requireTables(tables: Table[], inTarget: Table[]): void {
  const columnsOf = new Map(inTarget.map(({ name, columns }) => [name, new Set(columns)]));
  const lacking = tables.find(({ name, columns }) => !columns.every((column) => columnsOf.get(name)?.has(column)));
  if (lacking !== undefined) throw new Error(`the target has no ${lacking.name} like that of the source`);
}
