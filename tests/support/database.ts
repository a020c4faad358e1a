import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../../src/platform/db/pool.ts';

/** A copy of the migrated database, for one test file or test; returns the owner's address. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const template = process.env.CAREPOST_TEST_DATABASE;
  if (template === undefined) throw new Error('run tests by `npm test` or `node tests/run.ts FILE`');
  const admin = new URL(template);
  const source = admin.pathname.slice(1);
  admin.pathname = '/postgres';
  const name = `test_${randomBytes(6).toString('hex')}`;
  for (let tries = 0; ; tries += 1) {
    try {
      const text = `create database ${name} template ${source} strategy ${process.env.CAREPOST_TEST_COPY ?? 'wal_log'}`;
      await withConnection(admin.href, (client) => client.query(text));
      break;
    } catch (error) {
      // Another test is copying the template at this moment.
      if ((error as { code?: string }).code !== '55006' || tries > 100) throw error;
      await sleep(20);
    }
  }
  const url = new URL(template);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      withConnection(admin.href, async (client) => void (await client.query(`drop database ${name} with (force)`))),
  };
}
