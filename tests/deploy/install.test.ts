import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('packages are installed by one start at a time, and one that is stopped leaves no npm behind', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'carepost-install-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ['package-lock.json', 'scripts/setup.mjs', 'scripts/install-packages.mjs'])
    cpSync(join(ROOT, name), join(root, name));
  mkdirSync(join(root, 'bin'));
  const npm = (works: string) =>
    writeFileSync(join(root, 'bin', 'npm'), `#!/bin/sh\necho $$ >"$PWD/npm.pid"\n${works}\n`, { mode: 0o755 });
  const begin = () => {
    const env = { PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin` };
    const child = spawn(process.execPath, [join(root, 'scripts', 'setup.mjs')], { env });
    let said = '';
    child.stderr.on('data', (bytes) => (said += String(bytes)));
    t.after(() => child.kill('SIGKILL'));
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number, said })) };
  };
  const stamp = join(root, 'node_modules', '.carepost-installed');
  const lock = join(root, '.carepost-installing');
  mkdirSync(dirname(stamp));
  writeFileSync(stamp, 'of the version before');

  npm('exec tail -f /dev/null');
  const first = begin();
  await eventually(async () => existsSync(lock) && existsSync(join(root, 'npm.pid')), 20_000);
  const pid = Number(readFileSync(lock, 'utf8'));
  assert.equal(existsSync(stamp), false);
  first.child.kill('SIGTERM');
  const stopped = 'Stopped before the packages were there: the next start begins anew.\n';
  assert.deepEqual(await first.ended, { code: 1, said: stopped });
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.equal(existsSync(lock), false);

  npm('for each in $(seq 200); do sleep 0.1; done');
  const orphaned = begin();
  await eventually(async () => existsSync(lock), 20_000);
  const left = Number(readFileSync(lock, 'utf8'));
  orphaned.child.kill('SIGKILL');
  await once(orphaned.child, 'exit'); // its output stays open as long as its npm
  const words = `Packages are being installed here by process ${left}: wait until it has ended, and start again.\n`;
  assert.deepEqual(await begin().ended, { code: 1, said: words });
  process.kill(left, 'SIGKILL');
  await orphaned.ended;

  npm('mkdir -p node_modules/.bin');
  await begin().ended;
  assert.ok(existsSync(stamp));
  assert.equal(existsSync(lock), false);
});
