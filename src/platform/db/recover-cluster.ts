import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asOrdinaryUser } from './as-ordinary-user.ts';

interface Recovery {
  /** The folder with `postgres`. */
  binaries: string;
  /** A data directory as it was copied, with the log since in its pg_wal. */
  cluster: string;
  /** The moment to stop at; the end of the log where it is null. */
  until: Date | null;
  /** Whose password becomes this one: nobody knows the old one here. */
  owner: string;
  password: string;
  /** Whether the owner may pass by row security, for a copy that is only looked through. */
  superuser?: boolean;
  /** Further settings, such as files to read in place of those in the data directory. */
  settings?: Record<string, string>;
  /** Ends it on the way. */
  signal?: AbortSignal;
}

/** What archive recovery needs where the whole log lies in pg_wal already; each ends in a timeline of its own. */
export function recoverySettings(until: Date | null): Record<string, string> {
  return {
    restore_command: 'false', // there is no archive to ask
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    // The copied settings may still name the target of an earlier restore, and there may be one only: the one in use is last.
    recovery_target: '',
    recovery_target_name: '',
    recovery_target_xid: '',
    recovery_target_lsn: '',
    // A zone by its name is not known yet when this is read.
    recovery_target_time: until === null ? '' : until.toISOString().replace('Z', '+00'),
  };
}

/** Has PostgreSQL replay the log by itself, with nobody else able to connect, until the data directory is whole. */
export async function recoverCluster(recovery: Recovery): Promise<void> {
  const { binaries, cluster, until, owner, password, superuser = false, settings, signal } = recovery;
  writeFileSync(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  const all = { ...recoverySettings(until), hot_standby: 'off', log_min_error_statement: 'panic', ...settings };
  const server = [
    join(binaries, 'postgres'),
    '--single',
    '-D',
    cluster,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    'postgres',
  ];
  const [command = '', ...args] = asOrdinaryUser(server);
  const child = spawn(command, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    killSignal: 'SIGKILL', // while it replays the log it hears no other
    ...(signal === undefined ? {} : { signal }),
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-20_000)));
  child.stdin.on('error', () => {}); // it has ended already, and says why
  const role = `"${owner.replaceAll('"', '""')}"`;
  child.stdin.end(`alter role ${role} ${superuser ? 'superuser ' : ''}password '${password}'\n`);
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (failure !== undefined) throw failure;
  const complaint = /^.*\b(?:FATAL|PANIC|ERROR): +(.*)$/m.exec(said)?.[1];
  if (code !== 0 || complaint !== undefined) {
    throw new Error(`PostgreSQL could not recover the database: ${complaint ?? `it ended with ${code}`}`);
  }
}
