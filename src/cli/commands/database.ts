import { existsSync } from 'node:fs';
import { INSTALLATION, recordAct } from '../../accounts/index.ts';
import type { Config } from '../../config.ts';
import { type Installation, requireSetUp } from '../../installation.ts';
import { type Holding, moveDatabase, upgradeEmbedded } from '../../operations/move/index.ts';
import { upgradeFolderOf } from '../../platform/db/embedded-version.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { createLog } from '../../platform/log.ts';
import {
  type Command,
  type Output,
  operatorAct,
  required,
  UsageError,
  withDatabaseAsIs,
  withInstallation,
} from '../command.ts';
import { verifyEveryChain } from './audit.ts';

export const databaseMove: Command = {
  name: 'database move',
  usage: '--to postgres://USER:PASSWORD@HOST/DATABASE',
  about: 'copy the whole database into an empty one and compare them, while nothing serves; the old one stays as it is',
  options: { to: { type: 'string' } },
  async run(invocation) {
    const { config } = invocation;
    const to = addressOf(required(invocation, 'to'));
    const tables = await withDatabaseAsIs(config, async (from, log) => {
      await requireAnswer(to.href);
      return moveDatabase({ log }, { from, to: to.href });
    });
    const moved = { ...config, databaseUrl: to.href, databaseDirectUrl: null };
    to.password = 'PASSWORD';
    const direct = config.databaseDirectUrl === null ? '' : ', CAREPOST_DATABASE_DIRECT_URL likewise';
    return reportOn(moved, tables, `Set CAREPOST_DATABASE_URL=${to.href} on every node${direct}, and start them.`);
  },
};

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.password === '') {
    throw new UsageError('--to takes an address such as postgres://USER:PASSWORD@HOST/DATABASE');
  }
  return url;
}

async function requireAnswer(url: string): Promise<void> {
  try {
    await withConnection(url, (client) => client.query('select 1'));
  } catch (error) {
    throw new Error('--to leads to no database that lets us in', { cause: error });
  }
}

export const databaseUpgrade: Command = {
  name: 'database upgrade',
  usage: '[--binaries DIR]',
  about: 'move the embedded database to the PostgreSQL of this version, while nothing serves; run again if cut off',
  options: { binaries: { type: 'string' } },
  async run({ config, options }) {
    if (config.databaseUrl !== null) {
      throw new UsageError('CAREPOST_DATABASE_URL is set: carepost database move goes to a newer server');
    }
    if (!existsSync(upgradeFolderOf(config.dataDir))) requireSetUp(config); // one that was cut off goes on
    const upgraded = await upgradeEmbedded({ dataDir: config.dataDir, log: createLog('error') }, options.binaries);
    if (upgraded === null)
      return { json: { upgraded: false }, text: 'The embedded database is of this version already.' };
    const { from, to, kept, tables } = upgraded;
    const words = `PostgreSQL ${from} is now ${to}. Remove ${kept} once you trust it.`;
    const { json, ...rest } = await reportOn(config, tables, words);
    return { json: { upgraded: true, from, to, kept, ...json }, ...rest };
  },
};

/** Opens the installation where it is now, verifies its audit log and notes there what happened. */
async function reportOn(config: Config, tables: Holding[], next: string): Promise<Output> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const report = async (installation: Installation) => {
    const audit = await verifyEveryChain(installation);
    await installation.db.tenant([INSTALLATION], (tx) =>
      recordAct(tx, installation.clock, operatorAct(INSTALLATION, 'database.moved'), {
        details: { tables: tables.length, rows },
      }),
    );
    const width = Math.max(0, ...tables.map(({ table }) => table.length));
    const lines = tables
      .filter((table) => table.rows > 0)
      .map((table) => `  ${table.table.padEnd(width)}  ${table.rows} rows, equal`);
    const summary = `${tables.length} tables with ${rows} rows are equal in both. Audit log: ${audit.rows} rows checked, ${audit.faults.length} faults.`;
    return {
      json: { tables, rows, audit: { rows: audit.rows, faults: audit.faults } },
      text: [...lines, summary, next].join('\n'),
      failed: audit.faults.length > 0,
    };
  };
  return withInstallation(config, report, { upgrades: true });
}
