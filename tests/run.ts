// `npm test`: the static checks, then every test on a real PostgreSQL. Arguments name test files to run alone.
import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { loadWeb } from '../src/dashboard/web/built.ts';
import { findUnshown, type NamedTest } from './show/claims.ts';
import { startTestCluster } from './support/cluster.ts';

const CHECKS = {
  types: ['tsc'],
  'types of the dashboard': ['tsc', '-p', 'web'],
  'types of the page’s script': ['tsc', '-p', 'src/forms/page/script'],
  lint: ['oxlint', '--type-aware', '--quiet'],
  format: ['biome', 'check', '.'],
  'unused code': ['knip'],
};

const SLOWEST = 12;
/** What the random inputs of the properties begin with, unless CAREPOST_TEST_SEED names another. */
const SEED = '1';
const LOADED_FIRST = ['--import', join(import.meta.dirname, 'support', 'seed.ts')];
/** A file that takes longer hangs. */
const LONGEST_MS = 15 * 60_000;
const MEMORY_FOLDER = '/dev/shm';
/** What the databases, the files and the log of PostgreSQL of a whole run take at most, and as much again to run in. */
const ENOUGH_MEMORY = 12e9;

let passed = 0;
let failed = 0;

function count(ok: boolean): void {
  if (ok) passed += 1;
  else failed += 1;
}

const shown: NamedTest[] = [];

/** The documents name tests for what they claim: each of those has to have passed. */
function countUnshown(): void {
  for (const claim of findUnshown(shown)) {
    count(false);
    process.stdout.write(`✖ no such test passed: ${claim}\n`);
  }
}

const milliseconds = new Map<string, number>();

function time(file: string | undefined, ms: number): void {
  if (file !== undefined) milliseconds.set(file, (milliseconds.get(file) ?? 0) + ms);
}

/** Where the time went, so that somebody sees it grow. */
function tellSlowest(): void {
  const slowest = [...milliseconds].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST);
  const lines = slowest.map(([file, ms]) => `  ${(ms / 1000).toFixed(0).padStart(4)} s  ${relative('.', file)}`);
  process.stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`);
}

async function runCheck(name: string, [command = '', ...args]: string[]): Promise<void> {
  const child = spawn(join('node_modules', '.bin', command), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  count(code === 0);
  process.stdout.write(code === 0 ? `✔ ${name}\n` : `✖ ${name}\n${output}\n`);
}

/** Files in memory where there is enough of it: a database of its own for a test is 1,300 files, ten times as quick there. */
function pickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) > ENOUGH_MEMORY ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function runTests(files: string[]): Promise<void> {
  const scratch = mkdtempSync(join(pickFolder(), 'carepost-test-'));
  chmodSync(scratch, 0o711); // programs that run as other users have their files in it
  process.env.TMPDIR = scratch;
  const cluster = await startTestCluster(scratch);
  process.env.CAREPOST_TEST_DATABASE = cluster.templateUrl;
  process.env.CAREPOST_TEST_SEED ??= SEED;
  // Every file is a process of its own, and loading the product takes longer than most tests.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'carepost-tests');
  try {
    // Built now rather than while the first browser waits for it; where it cannot be, the tests that need it tell why.
    await loadWeb().catch(() => undefined);
    const stream = run({ files, concurrency: 2, isolation: 'process', timeout: LONGEST_MS, execArgv: LOADED_FIRST });
    stream.on('test:pass', ({ name, skip, todo, details, file, nesting }) => {
      const isWhole = skip === undefined && todo === undefined;
      if (details.type !== 'suite') count(isWhole);
      if (details.type !== 'suite' && isWhole && file !== undefined)
        shown.push({ file: relative('.', file), title: name });
      if (nesting === 0) time(file, details.duration_ms);
    });
    stream.on('test:fail', ({ details, file, nesting }) => {
      if (details.type !== 'suite') count(false);
      if (nesting === 0) time(file, details.duration_ms);
    });
    stream.compose(new spec()).pipe(process.stdout);
    await new Promise((resolve) => stream.once('end', resolve));
  } finally {
    await cluster.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
if (named.length === 0) for (const [name, command] of Object.entries(CHECKS)) await runCheck(name, command);
await runTests(named.length > 0 ? named : globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']).toSorted());
if (named.length === 0) {
  countUnshown();
  tellSlowest();
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
