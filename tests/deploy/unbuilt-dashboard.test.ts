import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createHome, spawnServer } from '../support/server.ts';

const ROOT = join(import.meta.dirname, '../..');
const BESIDE_ITS_LINKS = { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' };

/** The product in a tree of its own, where nothing is built and nothing can be. */
function makeUnbuiltTree(folder: string): string {
  const packages = join(folder, 'node_modules');
  mkdirSync(packages, { recursive: true });
  for (const name of ['src', 'web', 'migrations', 'package.json', 'package-lock.json'])
    symlinkSync(join(ROOT, name), join(folder, name));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !/^\.(carepost|cache)/.test(each)))
    symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  writeFileSync(join(packages, '.carepost'), '');
  return join(folder, 'src/main.ts');
}

test('a start without a dashboard of this version, where none can be built, names the command that builds it', {
  timeout: 60_000,
}, async (t) => {
  const home = await createHome(t);
  const tree = join(home.folder, 'tree');
  const server = spawnServer(home, BESIDE_ITS_LINKS, { main: makeUnbuiltTree(tree) });
  t.after(() => server.kill('SIGKILL'));
  const [said, [code]] = await Promise.all([text(server.stderr), once(server, 'exit'), text(server.stdout)]);
  const built = join(tree, 'node_modules/.carepost');
  const advice = `run node scripts/setup.mjs as a user who may write ${built}`;
  assert.equal(said, `carepost: the dashboard is not built for this version: ${advice}\n`);
  assert.equal(code, 1);
});
