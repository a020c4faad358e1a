import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { systemClock } from '../../platform/clock.ts';
import { findRunningEmbedded, startEmbedded } from '../../platform/db/embedded.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { createLog } from '../../platform/log.ts';
import { agreements } from './agreements.ts';
import { authority } from './authority.ts';
import { blobStore } from './blob-store.ts';
import { certificates } from './certificates.ts';
import {
  type Bench,
  type Check,
  type DatabaseBench,
  type Finding,
  failed,
  ok,
  type Verdict,
  warning,
} from './check.ts';
import { clock, timeService, timeZones } from './clock.ts';
import { connections, databaseLog, durability } from './database-settings.ts';
import { disk } from './disk.ts';
import { dns, outgoingMail } from './dns.ts';
import { customerKeys, keyFolder, masterKey } from './keys.ts';
import { machine } from './machine.ts';
import { relay, virusScanner } from './peers.ts';
import { ports } from './ports.ts';
import { auditLog, backup, nodes } from './running.ts';
import { schema } from './schema.ts';
import { extensions, node, postgres } from './versions.ts';
import { walls } from './walls.ts';

export type { Finding } from './check.ts';

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
  agreements,
  authority,
  nodes,
  auditLog,
  backup,
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

/** Does work on the database; answers what is the matter where it is not there. */
async function onDatabase(bench: Bench, work: (opened: DatabaseBench) => Promise<void>): Promise<Verdict | null> {
  const { databaseUrl, databaseDirectUrl, dataDir } = bench.config;
  let hasBegun = false;
  const begin = (ownerUrl: string) =>
    withConnection(ownerUrl, (client) => {
      hasBegun = true;
      return work({ ...bench, ownerUrl, client });
    });
  try {
    if (databaseUrl !== null) await begin(databaseDirectUrl ?? databaseUrl);
    else if (!existsSync(join(dataDir, 'postgres')))
      return warning('it is not there yet', 'it is made by the first start');
    else await onEmbedded(bench, begin);
    return null;
  } catch (error) {
    if (hasBegun) throw error;
    const { code, name } = error as NodeJS.ErrnoException;
    return failed(
      `it cannot be reached (${code ?? name}): what is in it was not looked at`,
      databaseUrl === null
        ? 'see postgres.log in the data folder'
        : 'start PostgreSQL, or correct CAREPOST_DATABASE_URL',
    );
  }
}

async function onEmbedded({ config, log }: Bench, begin: (ownerUrl: string) => Promise<void>): Promise<void> {
  const running = await findRunningEmbedded(config.dataDir);
  if (running !== null) return begin(running);
  const server = await startEmbedded({ dataDir: config.dataDir, log });
  try {
    await begin(server.url);
  } finally {
    await server.stop();
  }
}
