import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { type Binaries, findDebianPackage } from '../support/debian-package.ts';

const ROOT = join(import.meta.dirname, '../..');
const SYSTEMD = join(ROOT, 'deploy/systemd');
/** `systemd-analyze security`, in tenths: what is left is the network, local sockets and the compiler of V8. */
const MOST_EXPOSURE = '15';

function run({ root, libraries }: Binaries, program: string, args: string[]) {
  const env = { ...process.env, LD_LIBRARY_PATH: libraries };
  const { status, stdout, stderr } = spawnSync(join(root, '/', program), args, { encoding: 'utf8', env });
  return { status, said: stdout + stderr };
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-deploy-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('systemd reads the units, and finds the services shut in', (t) => {
  const systemd = findDebianPackage('systemd', 'usr/bin/systemd-analyze', ['usr/lib/*/systemd', 'lib/systemd']);
  const folder = folderFor(t);
  const units = globSync('*.{service,timer}', { cwd: SYSTEMD });
  assert.equal(units.length, 3);
  // It looks whether the programs are there: here, that is this checkout.
  for (const unit of units) {
    const text = readFileSync(join(SYSTEMD, unit), 'utf8');
    writeFileSync(join(folder, unit), text.replaceAll('/opt/carepost/node_modules', `${ROOT}/node_modules`));
  }
  const paths = units.map((unit) => join(folder, unit));
  const verified = run(systemd, 'usr/bin/systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...paths]);
  assert.deepEqual(verified, { status: 0, said: '' });
  for (const path of paths.filter((each) => each.endsWith('.service'))) {
    const args = ['security', '--no-pager', '--offline=true', `--threshold=${MOST_EXPOSURE}`, path];
    const { status, said } = run(systemd, 'usr/bin/systemd-analyze', args);
    assert.equal(status, 0, said);
  }
});

test('what the units name is there, and their settings are settings', () => {
  for (const unit of globSync('*.service', { cwd: SYSTEMD })) {
    const text = readFileSync(join(SYSTEMD, unit), 'utf8');
    for (const [path] of text.matchAll(/\b(src|deploy|docs)\/[\w./-]+\.(ts|mjs|sh|md)/g)) {
      assert.doesNotThrow(() => readFileSync(join(ROOT, path)), path);
    }
  }
  const lines = readFileSync(join(SYSTEMD, 'carepost.env'), 'utf8').match(/^\w+=.*$/gm) ?? [];
  const config = readConfig(Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string])));
  assert.equal(config.http.port, 443);
  assert.deepEqual(config.acme?.names, ['care.example.org']);
});

test('every shell script passes shellcheck', () => {
  const shellcheck = findDebianPackage('shellcheck', 'usr/bin/shellcheck');
  const scripts = globSync('deploy/**/*', { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'utf8').startsWith('#!/bin/sh'));
  assert.equal(scripts.length, 3);
  assert.deepEqual(run(shellcheck, 'usr/bin/shellcheck', ['--shell=sh', ...scripts]), { status: 0, said: '' });
});

test('HAProxy takes its sample', async (t) => {
  const haproxy = findDebianPackage('haproxy', 'usr/sbin/haproxy');
  const folder = folderFor(t);
  const { cert, key } = await createSelfSigned('care.example.org', new Date());
  mkdirSync(join(folder, 'etc'));
  writeFileSync(join(folder, 'etc/care.pem'), `${cert}\n${key}`);
  const sample = readFileSync(join(ROOT, 'deploy/proxy/haproxy.cfg'), 'utf8');
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, sample.replace('/etc/haproxy/care.example.org.pem', join(folder, 'etc/care.pem')));
  const { status, said } = run(haproxy, 'usr/sbin/haproxy', ['-c', '-q', '-f', file]);
  assert.equal(status, 0, said);
  assert.doesNotMatch(said, /WARNING|ALERT/);
});
