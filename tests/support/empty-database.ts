import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';

/** A database without anything, or like another one, which is removed when the test ends; returns the owner's address. */
export async function createEmptyDatabase(t: TestContext, template = 'template0'): Promise<string> {
  const url = new URL(process.env.CAREPOST_TEST_DATABASE as string);
  url.pathname = '/postgres';
  const admin = url.href;
  const name = `empty_${randomBytes(6).toString('hex')}`;
  const onServer = (text: string) => withConnection(admin, async (client) => void (await client.query(text)));
  await onServer(`create database ${name} template ${template}`);
  t.after(() => onServer(`drop database ${name} with (force)`));
  url.pathname = `/${name}`;
  return url.href;
}
