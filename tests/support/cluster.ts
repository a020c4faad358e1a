import { systemClock } from '../../src/platform/clock.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { ensurePartitions } from '../../src/platform/db/partitions.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { migrateJobs } from '../../src/platform/jobs/runner.ts';
import { createLog } from '../../src/platform/log.ts';

const TEMPLATE = 'carepost_template';

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
    given === undefined ? await startEmbedded({ dataDir: scratch, log }) : { url: given, stop: async () => {} };
  await withConnection(server.url, async (client) => {
    await client.query(`drop database if exists ${TEMPLATE} with (force)`);
    await client.query(`create database ${TEMPLATE}`);
  });
  const template = new URL(server.url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.href);
  await migrateJobs(template.href, log);
  await ensurePartitions(template.href, systemClock);
  return { templateUrl: template.href, stop: server.stop };
}
