import { openDatabase } from '../../platform/db/database.ts';
import { newestBackupAt } from '../backup/index.ts';
import { readSealLag } from '../watch/seal-lag.ts';
import { type Check, type DatabaseBench, failed, ok, type Verdict, warning } from './check.ts';

const LATE_SEAL_S = 60;
const BACKUP_HOURS = 26;
const HOUR_MS = 3600_000;

interface NodeRow {
  host: string;
  version: string;
  roles: string[];
  heard: boolean;
}

async function readNodes({ client, clock }: DatabaseBench): Promise<NodeRow[]> {
  const { rows } = await client.query<NodeRow>(
    `select host, version, roles, seen_at > $1::timestamptz - interval '30 seconds' as heard from nodes`,
    [clock.now()],
  );
  return rows;
}

/** Whether every process is heard of, and all are of one version. */
export const nodes: Check = {
  name: 'nodes',
  needs: 'database',
  async look(bench) {
    const all = await readNodes(bench);
    const heard = all.filter((node) => node.heard);
    const silent = [...new Set(all.filter((node) => !node.heard).map(({ host }) => host))];
    const versions = [...new Set(heard.map(({ version }) => version))];
    const verdicts: Verdict[] = [];
    if (silent.length > 0)
      verdicts.push(
        warning(`nothing was heard of a process on ${silent.join(', ')}`, 'see whether it was killed, and why'),
      );
    if (versions.length > 1)
      verdicts.push(warning(`versions ${versions.join(' and ')} run side by side`, 'finish the upgrade'));
    if (heard.length > 0 && !heard.some(({ roles }) => roles.includes('worker')))
      verdicts.push(failed('no process has the role worker: nothing is delivered', 'start one (CAREPOST_ROLES)'));
    return verdicts.length > 0 ? verdicts : [ok(`${heard.length} process(es) running`)];
  },
};

/** Whether the audit log is being sealed. */
export const auditLog: Check = {
  name: 'audit-log',
  needs: 'database',
  async look(bench) {
    const { ownerUrl, log, clock } = bench;
    const sealerDb = openDatabase({ ownerUrl, log }, 'sealer', 1);
    try {
      const lag = await readSealLag({ sealerDb, clock });
      if (lag <= LATE_SEAL_S) return [ok('sealed up to now')];
      const found = `the oldest row has not been sealed for ${Math.round(lag)} s`;
      const isRunning = (await readNodes(bench)).some(({ heard, roles }) => heard && roles.includes('worker'));
      if (!isRunning) return [warning(found, 'start a process with the role worker: it seals what is open')];
      return [failed(found, 'look for a transaction that is open for long (pg_stat_activity), and at the log')];
    } finally {
      await sealerDb.close();
    }
  },
};

/** Whether there is a backup, and a young one. */
export const backup: Check = {
  name: 'backup',
  needs: 'database',
  async look({ ownerUrl, log, clock, client }) {
    const { rows } = await client.query(`select to_regclass('public.backup_runs') is not null as there`);
    if (!rows[0].there) return [];
    const db = openDatabase({ ownerUrl, log }, 'app', 1);
    try {
      const at = await newestBackupAt(db);
      if (at === null) return [warning('there has been no backup', 'run carepost backup every day, and restore one')];
      const hours = Math.floor((clock.now().getTime() - at.getTime()) / HOUR_MS);
      if (hours <= BACKUP_HOURS) return [ok(`the newest backup is ${hours} hours old`)];
      return [
        failed(`the newest backup is ${hours} hours old`, 'run carepost backup, and see why the last one failed'),
      ];
    } finally {
      await db.close();
    }
  },
};
