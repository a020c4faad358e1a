import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { upgradeEmbedded } from '../../src/operations/move/index.ts';
import { fetchPrograms } from '../../src/operations/move/old-programs.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Ended, runProcess } from '../support/command-line.ts';
import { createEmptyDatabase } from '../support/empty-database.ts';
import { eventually } from '../support/eventually.ts';
import { createHome } from '../support/server.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const PROGRAMS = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'carepost-postgres-17');

/** Kills the command once a file is there. */
async function killWhen(args: string[], env: Record<string, string>, isThere: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await eventually(async () => {
    assert.equal(child.exitCode, null, 'it is not done yet');
    return isThere();
  });
  child.kill('SIGKILL');
  await ended;
}

test('an embedded database of the major version before is upgraded by one command, however often that is killed', async (t) => {
  const { dataDir, folder } = await createHome(t);
  const env = { CAREPOST_DATA_DIR: dataDir, CAREPOST_LIMITS: 'free-disk=1MB', TMPDIR: folder };
  const run = (args: string[], more = {}): Promise<Ended> => runProcess(args, { ...env, ...more });
  const log = createLog('silent');
  const programs = fetchPrograms(17, PROGRAMS);
  const older = await startEmbedded({ dataDir, log, binaries: programs });
  t.after(() => older.stop());
  for (const args of [['migrate'], ['customer', 'create', '--name', 'Clinic', '--username', 'clinic']]) {
    const { code, err } = await run(args, { CAREPOST_DATABASE_URL: older.url });
    assert.equal(code, 0, err);
  }
  await older.stop();
  const upgrade = ['database', 'upgrade', '--json', '--binaries', programs];
  const pgVersion = () => readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8').trim();

  const refused = 'the embedded database is of PostgreSQL 17, this version runs 18: run carepost database upgrade';
  await assert.rejects(startEmbedded({ dataDir, log }), { message: refused });

  await killWhen(upgrade, env, () => existsSync(join(dataDir, 'upgrade', 'postgres', 'PG_VERSION')));
  assert.equal(pgVersion(), '17', 'nothing was swapped');
  // A copy that was whole, but of a cluster that has been used since, is made again.
  writeFileSync(join(dataDir, 'upgrade', 'whole.json'), JSON.stringify({ from: 17, control: 'as it was then' }));
  const { code, out, err } = await run(upgrade);
  assert.equal(code, 0, err);
  const report = JSON.parse(out);
  assert.deepEqual([report.from, report.to, report.kept], [17, 18, join(dataDir, 'postgres-17.old')]);
  assert.deepEqual(report.audit.faults, []);
  assert.equal(report.tables.find(({ table }: { table: string }) => table === 'public.customers').rows, 1);
  assert.equal(pgVersion(), '18');
  assert.equal(existsSync(join(dataDir, 'upgrade')), false);
  assert.equal(await upgradeEmbedded({ dataDir, log }, programs), null, 'there is nothing more to do');

  // Cut off between the two renames.
  mkdirSync(join(dataDir, 'upgrade'));
  renameSync(join(dataDir, 'postgres'), join(dataDir, 'upgrade', 'postgres'));
  writeFileSync(join(dataDir, 'upgrade', 'whole.json'), JSON.stringify({ from: 17, control: '' }));
  const cutOff = 'an upgrade of the embedded database was cut off: run carepost database upgrade again';
  await assert.rejects(startEmbedded({ dataDir, log }), { message: cutOff });
  const kept = join(dataDir, 'postgres-17.old');
  assert.deepEqual(await upgradeEmbedded({ dataDir, log }, programs), { from: 17, to: 18, kept, tables: [] });

  const to = await createEmptyDatabase(t);
  const moved = await run(['database', 'move', '--to', to]);
  assert.equal(moved.code, 0, moved.err);
  assert.match(moved.out, /^ {2}public\.customers +1 rows, equal$/m);
  assert.match(
    moved.out,
    /\nSet CAREPOST_DATABASE_URL=postgres:\/\/\w+:PASSWORD@\S+ on every node, and start them\.\n$/,
  );
  const customers = await withConnection(to, (client) => client.query('select username from customers'));
  assert.deepEqual(customers.rows, [{ username: 'clinic' }]);
});
