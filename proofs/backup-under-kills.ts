// Backups of a database of 1 GB beside a server that takes submissions with files, again and again cut off by `kill -9`:
// afterwards everything that was acknowledged before the last one must come back on another path, and verify.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../src/platform/db/pool.ts';
import { doWork, openClinic, type Work } from '../tests/backup/clinic.ts';
import { runProcess } from '../tests/support/command-line.ts';
import { createHome, type Home, ownerUrlOf, startServer } from '../tests/support/server.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const BALLAST_MB = 1024;
const KILLS = 8;
const LONGEST_BEFORE_KILL_MS = 12_000;

function envOf({ dataDir, temp }: Home): Record<string, string> {
  return { CAREPOST_DATA_DIR: dataDir, CAREPOST_SMTP_PORT: '0', CAREPOST_SMTPS_PORT: '0', TMPDIR: temp };
}

async function timed(home: Home, ...args: string[]) {
  const start = performance.now();
  const { code, out, err } = await runProcess([...args, '--json'], envOf(home));
  assert.deepEqual([code, err], [0, ''], args.join(' '));
  return { seconds: Math.round((performance.now() - start) / 100) / 10, json: JSON.parse(out) };
}

async function killMidway(home: Home, args: string[]): Promise<boolean> {
  const env = { PATH: process.env.PATH, ...envOf(home) };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const wait = Math.random() * LONGEST_BEFORE_KILL_MS;
  await Promise.race([ended, sleep(wait)]);
  const wasRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  return wasRunning;
}

async function addBallast(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query('create table ballast (bytes bytea)');
    for (let mb = 0; mb < BALLAST_MB; mb += 1) {
      await client.query('insert into ballast values ($1)', [randomBytes(2 ** 20)]);
    }
  });
}

/** The longest time for which anything held back the clean-up of dead rows. */
async function watchSnapshots(url: string, done: AbortSignal): Promise<number> {
  let longest = 0;
  while (!done.aborted) {
    const { rows } = await withConnection(url, (client) =>
      client.query(`select coalesce(max(extract(epoch from now() - xact_start)), 0)::float as s from pg_stat_activity
        where backend_xmin is not null and backend_type in ('client backend', 'walsender')`),
    );
    longest = Math.max(longest, rows[0].s);
    await sleep(200);
  }
  return longest;
}

test('backups under kills', async (t) => {
  const [home, store, there] = [await createHome(t), await createHome(t), await createHome(t)];
  const [to, keys] = [join(store.folder, 'to'), join(store.folder, 'keys')];
  const back = ['backup', '--to', to, '--keys-to', keys];
  const server = await startServer(t, home, { CAREPOST_LOG_LEVEL: 'error' });
  const clinic = await openClinic(server);
  await addBallast(ownerUrlOf(home));

  const done = new AbortController();
  const acknowledged: Work[] = [];
  const keepWorking = async () => {
    while (!done.signal.aborted) acknowledged.push(await doWork(server, clinic, randomBytes(6).toString('hex')));
  };
  const snapshots = watchSnapshots(ownerUrlOf(home), done.signal);
  const workers = [keepWorking(), keepWorking()];

  let cutOff = 0;
  for (let kill = 0; kill < KILLS; kill += 1) cutOff += Number(await killMidway(home, back));
  const full = await timed(home, ...back, '--full');
  for (let kill = 0; kill < KILLS; kill += 1) cutOff += Number(await killMidway(home, back));
  const sure = acknowledged.flatMap(({ submissions }) => submissions).map(({ id }) => id);
  const last = await timed(home, ...back);
  done.abort();
  await Promise.all(workers);
  const longestSnapshot = await snapshots;
  await server.kill('SIGKILL');

  const verified = await timed(home, 'restore', '--verify', '--from', to, '--keys', keys);
  assert.deepEqual(verified.json.faults, []);
  copyFileSync(`${home.dataDir}.key`, `${there.dataDir}.key`);
  rmSync(home.dataDir, { recursive: true });
  const restored = await timed(there, 'restore', '--from', to, '--keys', keys);
  await startServer(t, there, { CAREPOST_LOG_LEVEL: 'error' });
  const { rows } = await withConnection(ownerUrlOf(there), (client) =>
    client.query('select id from submissions where id = any($1)', [sure]),
  );
  assert.equal(rows.length, sure.length, 'everything acknowledged before the last backup is there');
  const stored = globSync(`${to}/**/*`).reduce((sum, file) => sum + statSync(file).size, 0);
  t.diagnostic(
    JSON.stringify({
      cutOff,
      submissionsSure: sure.length,
      fullSeconds: full.seconds,
      fullMB: Math.round(full.json.bytes / 2 ** 20),
      incrementalSeconds: last.seconds,
      incrementalMB: Math.round(last.json.bytes / 2 ** 20),
      verifySeconds: verified.seconds,
      restoreSeconds: restored.seconds,
      storedMB: Math.round(stored / 2 ** 20),
      longestSnapshotSeconds: Math.round(longestSnapshot * 10) / 10,
    }),
  );
});
