import { openReplication } from '../../platform/db/replication.ts';
import { type Check, ok, type Verdict, warning } from './check.ts';
import { type Settings, settingsOf } from './database-settings.ts';

/** A full backup takes two, and what is written meanwhile two more. */
const FEWEST_SENDERS = 4;
const NOT_PERMITTED = '42501';
const NOT_LET_IN = new Set(['28000', '28P01']);
const ALL_IN_USE = '53300';

/** Whether the database lets its owner copy it, as backups do. */
export const backupRights: Check = {
  name: 'backup-rights',
  needs: 'database',
  async look({ ownerUrl, client }) {
    const role = decodeURIComponent(new URL(ownerUrl).username);
    return [await judgeRights(ownerUrl, role), ...judgeCopying(await settingsOf(client))];
  },
};

async function judgeRights(url: string, role: string): Promise<Verdict> {
  try {
    await using connection = await openReplication(url);
    await connection.rows('IDENTIFY_SYSTEM');
    return ok(`${role} may copy the database`);
  } catch (error) {
    return explainRefusal(error, role);
  }
}

/** What lets a role copy the database, by the code with which that was refused. */
export function explainRefusal(error: unknown, role: string): Verdict {
  const { code = '' } = error as { code?: string };
  const another = 'or name a role that may by carepost backup --replication-url';
  if (code === NOT_PERMITTED)
    return warning(`${role} may not replicate: no backup can be taken`, `alter role ${role} replication, ${another}`);
  if (NOT_LET_IN.has(code))
    return warning(
      `pg_hba.conf does not let ${role} replicate: no backup can be taken`,
      `add "hostssl replication ${role} 10.0.0.0/8 scram-sha-256" with the network of this machine, ${another}`,
    );
  if (code === ALL_IN_USE)
    return warning('all of max_wal_senders are in use', 'set max_wal_senders = 10 and restart PostgreSQL');
  throw error;
}

/** Whether the server has room for those who copy it, and keeps its log until they come again. */
export function judgeCopying(settings: Settings): Verdict[] {
  const senders = Number(settings.get('max_wal_senders'));
  const keptMb = Number(settings.get('wal_keep_size'));
  return [
    senders >= FEWEST_SENDERS
      ? ok(`max_wal_senders is ${senders}`)
      : warning(
          `max_wal_senders is ${senders}, and a backup takes up to ${FEWEST_SENDERS}`,
          'set max_wal_senders = 10 and restart PostgreSQL',
        ),
    keptMb > 0
      ? ok(`wal_keep_size is ${keptMb} MB`)
      : warning(
          'wal_keep_size is 0: where the log is gone before the next backup, that one is a full one',
          "alter system set wal_keep_size = '2GB', then select pg_reload_conf()",
        ),
  ];
}
