import type { Config } from '../../config.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { agreements } from './agreements.ts';
import { authority } from './authority.ts';
import { backupRights } from './backup-rights.ts';
import { backup, restoreTest } from './backups.ts';
import { blobStore } from './blob-store.ts';
import { certificates } from './certificates.ts';
import { type Bench, type Check, type Finding, failed, ok, type Verdict } from './check.ts';
import { clock, timeService, timeZones } from './clock.ts';
import { connections, databaseLog, durability } from './database-settings.ts';
import { disk } from './disk.ts';
import { dns, outgoingMail } from './dns.ts';
import { files } from './files.ts';
import { customerKeys, keyFolder, masterKey } from './keys.ts';
import { machine } from './machine.ts';
import { onDatabase } from './on-database.ts';
import { relay, virusScanner } from './peers.ts';
import { ports } from './ports.ts';
import { auditLog, nodes } from './running.ts';
import { schema } from './schema.ts';
import { extensions, node, postgres } from './versions.ts';
import { walls } from './walls.ts';

const DATABASE = 'database';
const CHECKS: Check[] = [
  node,
  machine,
  timeService,
  disk,
  masterKey,
  keyFolder,
  blobStore,
  certificates,
  ports,
  dns,
  outgoingMail,
  relay,
  virusScanner,
  postgres,
  extensions,
  durability,
  databaseLog,
  connections,
  schema,
  walls,
  clock,
  timeZones,
  customerKeys,
  files,
  agreements,
  authority,
  nodes,
  auditLog,
  backupRights,
  backup,
  restoreTest,
];

/** The names of everything that is looked at. */
export const CHECK_NAMES = [DATABASE, ...CHECKS.map(({ name }) => name)];

/** Looks at everything, or at what is named; what cannot be looked at without the database waits for it. */
export async function examine(config: Config, only: readonly string[] = CHECK_NAMES): Promise<Finding[]> {
  const bench: Bench = { config, clock: systemClock, log: createLog('silent') };
  const wanted = CHECKS.filter(({ name }) => only.includes(name));
  const findings: Finding[] = [];
  const note = (check: string, verdicts: Verdict[]) =>
    void findings.push(...verdicts.map((verdict) => ({ check, ...verdict })));
  for (const check of wanted) if (check.needs === 'nothing') note(check.name, await attempt(() => check.look(bench)));
  const withDatabase = wanted.filter((check) => check.needs === 'database');
  if (withDatabase.length === 0 && !only.includes(DATABASE)) return findings;
  const reached = await onDatabase(bench, async (opened) => {
    note(DATABASE, [ok('it answers')]);
    for (const check of withDatabase) note(check.name, await attempt(() => check.look(opened)));
  });
  if (reached !== null) note(DATABASE, [reached]);
  return findings;
}

async function attempt(look: () => Promise<Verdict[]>): Promise<Verdict[]> {
  try {
    return await look();
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    return [
      failed(`it could not be looked at (${code ?? name})`, 'mend what is said above and below, then look again'),
    ];
  }
}
