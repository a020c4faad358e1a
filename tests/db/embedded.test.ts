import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/db/embedded.ts';
import { canConnect } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { eventually } from '../support/eventually.ts';
import { createHome, postmasterOf } from '../support/server.ts';

const PROGRAM = process.getuid?.() === 0 ? 'unshare' : 'setpriv';

/** Has no program be found until the test ends, or until the function that it returns is called. */
function losePrograms(t: TestContext): () => void {
  const path = process.env.PATH;
  const find = () => void (process.env.PATH = path);
  t.after(find);
  process.env.PATH = '/nowhere';
  return find;
}

test('a program that cannot be started is named, at the start and in the log, and tried again', async (t) => {
  const home = await createHome(t);
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const start = (): Promise<EmbeddedPostgres> => startEmbedded({ dataDir: home.dataDir, log });
  const running = await start();
  t.after(() => running.stop());
  const find = losePrograms(t);
  process.kill(postmasterOf(home), 'SIGKILL');
  await eventually(async () => lines.length > 2);
  const [killed, lost] = lines.map((line) => JSON.parse(line));
  assert.equal(killed.program, PROGRAM);
  assert.deepEqual([lost.program, lost.err.code], [PROGRAM, 'ENOENT']);
  find();
  await eventually(() => canConnect(running.url));
  await running.stop();
  losePrograms(t);
  await assert.rejects(start(), { message: `the embedded PostgreSQL did not start: ${PROGRAM} (ENOENT)` });
});

test('one that cannot start on its files says why in its own words', async (t) => {
  const home = await createHome(t);
  const start = () => startEmbedded({ dataDir: home.dataDir, log: createLog('silent') });
  await (await start()).stop();
  rmSync(join(home.dataDir, 'postgres', 'global', 'pg_control'));
  await assert.rejects(start(), {
    message: 'the embedded PostgreSQL did not start: could not find the database system',
  });
});

test('a second one on the same data dir says at once that it waits for the first', async (t) => {
  const home = await createHome(t);
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const first = await startEmbedded({ dataDir: home.dataDir, log });
  t.after(() => first.stop());
  const pid = postmasterOf(home);
  const starting = startEmbedded({ dataDir: home.dataDir, log });
  await eventually(async () => lines.length > 0);
  await first.stop();
  const second = await starting;
  await second.stop();
  const [told] = lines.map((line) => JSON.parse(line));
  assert.equal(told.msg, 'another embedded PostgreSQL still runs on this data dir; waiting for it');
  assert.equal(told.pid, pid);
});
