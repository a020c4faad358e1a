import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolderNow } from '../durable-files.ts';
import { asOrdinaryUser } from './as-ordinary-user.ts';

/** Makes the files of a new PostgreSQL: all of them under their name, or none. */
export function createCluster(binaries: string, cluster: string, by: { owner: string; password: string }): void {
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const passwordFile = `${cluster}.password`;
  writeFileSync(passwordFile, by.password, { mode: 0o600 });
  const [command = '', ...args] = asOrdinaryUser([
    join(binaries, 'initdb'),
    `--pgdata=${unfinished}`,
    `--username=${by.owner}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ]);
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  rmSync(passwordFile);
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? complaintIn(stderr)}`);
  renameSync(unfinished, cluster);
  syncFolderNow(dirname(cluster));
}

/** The line that says why, among those about what was done before and after. */
function complaintIn(said: string): string {
  return /(?:FATAL|PANIC|error): +(.+)/.exec(said)?.[1] ?? said.trim();
}
