import { escapeLiteral } from 'pg';
import { systemClock } from '../../src/platform/clock.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { ensurePartitions } from '../../src/platform/db/partitions.ts';
import { type Client, withConnection } from '../../src/platform/db/pool.ts';
import { migrateJobs } from '../../src/platform/jobs/runner.ts';
import { createLog } from '../../src/platform/log.ts';

const TEMPLATE = 'carepost_template';

/** A start of the product logs in a dozen times, and what its passwords protect here is thrown away with the run. */
const SETTINGS = { scram_iterations: '1' };

export interface TestCluster {
  /** The owner's address of a migrated database that every test copies. */
  templateUrl: string;
  stop(): Promise<void>;
}

/** The PostgreSQL for tests: the embedded one, or the server that CAREPOST_TEST_DATABASE_URL names. */
export async function startTestCluster(scratch: string): Promise<TestCluster> {
  const log = createLog('silent');
  const given = process.env.CAREPOST_TEST_DATABASE_URL;
  const server =
    given === undefined
      ? await startEmbedded({ dataDir: scratch, log, settings: SETTINGS })
      : { url: given, stop: async () => {} };
  await withConnection(server.url, async (client) => {
    await client.query(`drop database if exists ${TEMPLATE} with (force)`);
    await client.query(`create database ${TEMPLATE}`);
    if (given === undefined) await hashPasswordAnew(client, server.url);
  });
  const template = new URL(server.url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.href);
  await migrateJobs(template.href, log);
  await ensurePartitions(template.href, systemClock);
  return { templateUrl: template.href, stop: server.stop };
}

/** The owner's password was hashed before the settings were in force. */
async function hashPasswordAnew(client: Client, url: string): Promise<void> {
  const password = decodeURIComponent(new URL(url).password);
  await client.query(`alter role current_user password ${escapeLiteral(password)}`);
}
