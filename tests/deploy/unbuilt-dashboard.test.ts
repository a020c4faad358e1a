import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { BUILT, loadWeb } from '../../src/dashboard/web/built.ts';
import { createHome, type Home, spawnServer } from '../support/server.ts';

const ROOT = join(import.meta.dirname, '../..');
const BESIDE_ITS_LINKS = { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' };

/** The product in a tree of its own, where nothing is built. */
function makeUnbuiltTree(folder: string): string {
  const packages = join(folder, 'node_modules');
  mkdirSync(packages, { recursive: true });
  for (const name of ['src', 'web', 'migrations', 'package.json', 'package-lock.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !/^\.(carepost|cache)/.test(each)))
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  return folder;
}

/** How a start ends that says why, and by which code. */
async function startIn(t: TestContext, home: Home, tree: string) {
  const server = spawnServer(home, BESIDE_ITS_LINKS, { main: join(tree, 'src/main.ts') });
  t.after(() => server.kill('SIGKILL'));
  const [said, [code]] = await Promise.all([text(server.stderr), once(server, 'exit'), text(server.stdout)]);
  return { said, code };
}

test('a start without a dashboard of this version, where none can be built, names the command that builds it', {
  timeout: 60_000,
}, async (t) => {
  const home = await createHome(t);
  const tree = makeUnbuiltTree(join(home.folder, 'tree'));
  const built = join(tree, 'node_modules/.carepost');
  writeFileSync(built, '');
  const { said, code } = await startIn(t, home, tree);
  const advice = `run node scripts/setup.mjs as a user who may write ${built}`;
  assert.equal(said, `carepost: the dashboard is not built for this version: ${advice}\n`);
  assert.equal(code, 1);
});

test('nor is there a start whose forms would be without their scripts', { timeout: 60_000 }, async (t) => {
  await loadWeb();
  const home = await createHome(t);
  const tree = makeUnbuiltTree(join(home.folder, 'tree'));
  const built = join(tree, 'node_modules/.carepost');
  mkdirSync(built);
  symlinkSync(BUILT, join(built, 'web'));
  writeFileSync(join(built, 'page'), '');
  const { said, code } = await startIn(t, home, tree);
  const advice = `run node scripts/setup.mjs as a user who may write ${join(built, 'page')}`;
  assert.equal(said, `carepost: the scripts of forms are not built for this version: ${advice}\n`);
  assert.equal(code, 1);
});
