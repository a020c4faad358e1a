import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSigningKey } from '../../src/accounts/index.ts';
import { evidencePack } from '../../src/cli/commands/evidence-pack.ts';
import { listBackupRuns, recordRun } from '../../src/operations/backup/index.ts';
import { removeWhatIsOver } from '../../src/operations/retention/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp } from '../support/app.ts';

/** A run that took ten seconds. */
async function note({ installation }: TestApp, began: string, kind: 'full' | 'incremental' | 'verify', ok = true) {
  const startedAt = new Date(began);
  const clock = { now: () => new Date(startedAt.getTime() + 10_000) };
  await recordRun(
    { db: installation.db, clock },
    { kind, startedAt, ok, bytes: 100, lsn: `0/${startedAt.getUTCMinutes()}` },
  );
}

const TOLD = ['kind', 'began', 'seconds', 'succeeded', 'runs', 'failed', 'longest_gap_seconds', 'bytes', 'lsn'];
const told = (row: Record<string, unknown>) => TOLD.map((name) => row[name] ?? null);

test('evidence tells of full backups and tests one by one, and of incremental ones by the day', async (t) => {
  const app = await startApp(t);
  await note(app, '2026-03-01T23:50:00Z', 'full');
  await note(app, '2026-03-02T00:10:00Z', 'incremental');
  await note(app, '2026-03-02T00:13:00Z', 'incremental', false);
  await note(app, '2026-03-02T00:16:00Z', 'incremental');
  await note(app, '2026-03-02T09:00:00Z', 'verify');
  await note(app, '2026-03-03T00:16:00Z', 'incremental', false);
  const { config } = app.installation;
  const out = join(config.dataDir, 'pack');
  const options = { from: '2026-03-01', to: '2026-03-04', out };
  await evidencePack.run({ config, options, flags: new Set(), given: '' });
  const { rows } = JSON.parse(readFileSync(join(out, 'backups.json'), 'utf8'));
  assert.deepEqual(rows.map(told), [
    ['full', '2026-03-01T23:50:00.000Z', 10, true, 1, 0, null, 100, '0/50'],
    ['incremental', '2026-03-02T00:10:00.000Z', 30, false, 3, 1, 1200, 300, '0/16'],
    ['verify', '2026-03-02T09:00:00.000Z', 10, true, 1, 0, null, 100, '0/0'],
    ['incremental', '2026-03-03T00:16:00.000Z', 10, false, 1, 1, null, 100, null],
  ]);
});

test('incremental backups that succeeded are told of for a year, the newest and all others for good', async (t) => {
  const app = await startApp(t);
  const { installation } = app;
  const worker = openDatabase(installation, 'worker', 1);
  t.after(worker.close);
  const signingKey = await loadSigningKey(installation);
  const keepTo = (now: string) =>
    removeWhatIsOver({
      ownerUrl: installation.ownerUrl,
      db: worker,
      clock: { now: () => new Date(now) },
      signingKey,
      operator: installation.config.retention,
    });
  const left = async () => {
    const runs = await listBackupRuns(installation.db, { from: new Date(0), to: new Date('2100-01-01') });
    return runs.map(({ kind, startedAt, ok }) => `${kind} ${startedAt.toISOString().slice(0, 10)} ${ok}`);
  };
  await note(app, '2026-03-01T00:00:00Z', 'full');
  await note(app, '2026-03-02T00:00:00Z', 'incremental');
  await note(app, '2026-03-03T00:00:00Z', 'incremental', false);
  await note(app, '2026-03-04T00:00:00Z', 'verify');
  await note(app, '2026-03-05T00:00:00Z', 'incremental');
  await keepTo('2027-03-02T00:00:00Z');
  assert.equal((await left()).length, 5, 'a year to the second');
  await keepTo('2027-03-02T00:00:01Z');
  const kept = ['full 2026-03-01 true', 'incremental 2026-03-03 false', 'verify 2026-03-04 true'];
  assert.deepEqual(await left(), [...kept, 'incremental 2026-03-05 true']);
  await keepTo('2029-01-01T00:00:00Z');
  assert.deepEqual(await left(), [...kept, 'incremental 2026-03-05 true']);
});
