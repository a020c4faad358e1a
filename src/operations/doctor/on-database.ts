import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningEmbedded, startEmbedded } from '../../platform/db/embedded.ts';
import { withConnection } from '../../platform/db/pool.ts';
import { type Bench, type DatabaseBench, failed, type Verdict, warning } from './check.ts';

/** Does work on the database; answers what is the matter where it is not there. */
export async function onDatabase(
  bench: Bench,
  work: (opened: DatabaseBench) => Promise<void>,
): Promise<Verdict | null> {
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
