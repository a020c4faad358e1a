// `npm test`: the static checks, then the tests on a real PostgreSQL, but for the long ones; `npm run test:all` with those.
// Arguments name test files to run alone.
import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { spec } from 'node:test/reporters';
import { loadWeb } from '../src/dashboard/web/built.ts';
import { inGroups, type Outcome, runGroup } from './run/groups.ts';
import { isLong } from './run/long.ts';
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
/** One more than two cores, since tests also wait. With more, whole products that tests start are starved. */
const AT_ONCE = 3;
/** What the random inputs of the properties begin with, unless CAREPOST_TEST_SEED names another. */
const SEED = '1';
const MEMORY_FOLDER = '/dev/shm';
/** What the databases, the files and the log of PostgreSQL of a whole run take at most, and as much again to run in. */
const ENOUGH_MEMORY = 12e9;

/** Of so many files a failure may be one of the machine's; of more of them it is ours. */
const MOST_UNSTEADY = 2;

const checks: Outcome = { group: [], passed: [], failed: 0, ms: 0 };
const outcomes = new Map<string, Outcome>();

function countCheck(name: string, ok: boolean): void {
  if (ok) checks.passed.push(name);
  else checks.failed += 1;
}

/** The documents name tests for what they claim: each of those that ran has to have passed. */
function countUnshown(files: string[]): void {
  const shown: NamedTest[] = [...outcomes].flatMap(([file, { passed }]) => passed.map((title) => ({ file, title })));
  for (const claim of findUnshown(shown, new Set(files))) {
    countCheck(claim, false);
    process.stdout.write(`✖ no such test passed: ${claim}\n`);
  }
}

/** Where the time went, so that somebody sees it grow. */
function tellSlowest(): void {
  const slowest = [...outcomes].toSorted(([, one], [, other]) => other.ms - one.ms).slice(0, SLOWEST);
  const lines = slowest.map(([file, { ms }]) => `  ${(ms / 1000).toFixed(0).padStart(4)} s  ${file}`);
  process.stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`);
}

/** Two at a time: hardly any of them keeps more than one core busy. */
async function runChecks(): Promise<void> {
  const waiting = Object.entries(CHECKS);
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runCheck(...next);
  };
  await Promise.all([runNext(), runNext()]);
}

async function runCheck(name: string, [command = '', ...args]: string[]): Promise<void> {
  const child = spawn(join('node_modules', '.bin', command), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  countCheck(name, code === 0);
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

/** Runs files in a cluster of their own; with `again`, those that failed once more by themselves. */
async function runTests(files: string[], { again }: { again: boolean }): Promise<void> {
  const folder = pickFolder();
  // In memory copying the files takes a third of what going through the log takes; on a disk each one is waited for.
  if (folder === MEMORY_FOLDER) process.env.CAREPOST_TEST_COPY = 'file_copy';
  const scratch = mkdtempSync(join(folder, 'carepost-test-'));
  chmodSync(scratch, 0o711); // programs that run as other users have their files in it
  process.env.TMPDIR = scratch;
  const cluster = await startTestCluster(scratch);
  process.env.CAREPOST_TEST_DATABASE = cluster.templateUrl;
  process.env.CAREPOST_TEST_SEED ??= SEED;
  // Loading the product takes longer than most tests.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'carepost-tests');
  try {
    // Built now rather than while the first browser waits for it; where it cannot be, the tests that need it tell why.
    await loadWeb().catch(() => undefined);
    await runFiles(files, AT_ONCE);
    if (again) await runUnsteady();
  } finally {
    await cluster.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Several groups at a time; what is told of a file is told in one piece. */
async function runFiles(files: string[], lanes: number): Promise<void> {
  const waiting = inGroups(files);
  const told = new PassThrough({ objectMode: true });
  const shown = pipeline(told, new spec(), async (lines) => {
    for await (const line of lines) process.stdout.write(line);
  });
  const runNext = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      for await (const { name, events, ...outcome } of runGroup(group)) {
        outcomes.set(name, outcome);
        for (const event of events) told.write(event);
        if (events.length === 0) process.stdout.write(`✖ ${name}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, runNext));
  told.end();
  await shown;
}

/** A file that failed beside others runs once more alone. What passes then counts, and is named: somebody has to find out. */
async function runUnsteady(): Promise<void> {
  const unsteady = [...outcomes].filter(([, { failed }]) => failed > 0);
  if (unsteady.length === 0 || unsteady.length > MOST_UNSTEADY) return;
  const files = [...new Set(unsteady.flatMap(([, { group }]) => group))];
  process.stdout.write(`\nFailed, and run again alone:\n${files.map((file) => `  ${file}`).join('\n')}\n\n`);
  for (const [name] of unsteady) outcomes.delete(name);
  for (const file of files) await runFiles([file], 1);
  const steady = unsteady.filter(([, { group }]) => group.every((file) => outcomes.get(file)?.failed === 0));
  for (const [name] of steady) process.stdout.write(`\n⚠ unsteady: ${name} failed beside others and passed alone\n`);
}

const isAll = process.argv[2] === '--all';
const named = process.argv.slice(isAll ? 3 : 2);
const isWhole = named.length === 0;
const every = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']).toSorted();
const files = isWhole ? every.filter((file) => isAll || !isLong(file)) : named;
if (isWhole) await runChecks();
await runTests(files, { again: isWhole });
if (isWhole) {
  countUnshown(files);
  tellSlowest();
}
const all = [checks, ...outcomes.values()];
const passed = all.reduce((sum, each) => sum + each.passed.length, 0);
const failed = all.reduce((sum, each) => sum + each.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
