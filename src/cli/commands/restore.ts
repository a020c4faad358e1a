import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { recordRun } from '../../operations/backup/index.ts';
import {
  openSource,
  type RestoreReport,
  restoreEmbedded,
  restoreExternal,
  Stopped,
  type VerifyReport,
  verifyBackup,
} from '../../operations/restore/index.ts';
import { locateBinaries } from '../../platform/db/embedded-binaries.ts';
import { createLog } from '../../platform/log.ts';
import { type Command, type Output, required, withInstallation } from '../command.ts';
import { readMoment } from '../read-time.ts';

export const restore: Command = {
  name: 'restore',
  usage: '--from DIR --keys DIR [--at TIME] [--pgdata DIR] [--same-store] [--verify [--postgres DIR]]',
  about:
    'restore a backup into an empty data dir, or try it out beside everything else and look at every record; --same-store goes on with files that are in CAREPOST_BLOB_URL already, and no other server may work on them',
  options: {
    from: { type: 'string' },
    keys: { type: 'string' },
    at: { type: 'string' },
    pgdata: { type: 'string' },
    'same-store': { type: 'boolean' },
    verify: { type: 'boolean' },
    postgres: { type: 'string' },
  },
  async run(invocation) {
    const { options, flags, config } = invocation;
    const folders = { from: resolve(required(invocation, 'from')), keys: resolve(required(invocation, 'keys')) };
    const at = options.at === undefined ? null : readMoment(invocation, 'at');
    const source = openSource(config, folders);
    if (flags.has('verify')) {
      const startedAt = new Date();
      const binaries = options.postgres === undefined ? locateBinaries() : resolve(options.postgres);
      const report = await verifyBackup(source, { at, binaries, log: createLog('silent') }).catch(
        async (error: unknown) => {
          if (!(error instanceof Stopped)) await note(config, { startedAt, ok: false });
          throw error;
        },
      );
      const { faults, bytes, lsn } = report;
      return describeVerified(report, await note(config, { startedAt, ok: faults.length === 0, bytes, lsn }));
    }
    const wish = { at, sameStore: flags.has('same-store') };
    if (options.pgdata === undefined) return describeRestored(await restoreEmbedded(config, source, wish), null);
    const pgdata = resolve(options.pgdata);
    return describeRestored(await restoreExternal(config, source, { ...wish, pgdata }), pgdata);
  },
};

/** Notes the test in the installation, where there is one on this machine; tells why it is not noted. */
async function note(
  config: Config,
  tested: { startedAt: Date; ok: boolean; bytes?: number; lsn?: string },
): Promise<string | null> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres'))) {
    return 'There is no installation here to note the test in.';
  }
  try {
    await withInstallation(config, (installation) => recordRun(installation, { kind: 'verify', ...tested }));
    return null;
  } catch (error) {
    return `The test could not be noted in the installation: ${(error as Error).message}`; // what was found counts more
  }
}

function describeVerified(report: VerifyReport, notNoted: string | null): Output {
  const { backup, number, values, submissions, files, audit_rows, audit_checkpoints, faults } = report;
  const rows = Object.values(report.tables).reduce((sum, count) => sum + count, 0);
  const counts = `${rows} rows, ${values} sealed values, ${submissions} submissions, ${files} files, ${audit_rows} audit rows and ${audit_checkpoints} checkpoints`;
  const noted = notNoted === null ? '' : ` ${notNoted}`;
  const text = `Backup ${backup}/${number}: ${counts} checked, ${faults.length} faults.${noted}`;
  return {
    json: { ...report, recorded: notNoted === null },
    text: [...faults, text].join('\n'),
    failed: faults.length > 0,
  };
}

function describeRestored(report: RestoreReport, pgdata: string | null): Output {
  const { manifest, files, faults, customerKeys, major } = report;
  const { chain, number, restorable_until, server } = manifest;
  const missing = faults.length === 0 ? '' : `, without the ${faults.length} named above`;
  const next =
    pgdata === null
      ? 'Start it: carepost serve'
      : `Give ${pgdata} to the user of PostgreSQL ${major} and start that server on it: it replays the log and opens database ${server.database} for ${server.owner} with the password of before. Then set CAREPOST_DATABASE_URL and start: carepost serve`;
  return {
    json: { backup: chain, number, restorable_until, files, faults, customer_keys: customerKeys, pgdata },
    text: [...faults, `Restored backup ${chain}/${number} with ${files} files${missing}. ${next}`].join('\n'),
    failed: faults.length > 0,
  };
}
