// Three nodes as processes over one PostgreSQL and one S3 store, under mixed load: one is killed with `kill -9` every few
// seconds, then a restart rolls through all of them. Nothing acknowledged may be missing or doubled, the audit log must
// verify, and no request may be refused for longer than three seconds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type EmbeddedPostgres, startEmbedded } from '../src/platform/db/embedded.ts';
import { createLog } from '../src/platform/log.ts';
import { outliveKills } from '../tests/nodes/outlive.ts';

/** Three nodes with every role have 34 connections each at most. */
const ROOMY = { max_connections: '150' };
const KILLS = 20;
const KILL_FOR_MS = 150_000;
const folder = mkdtempSync(join(tmpdir(), 'carepost-three-'));
let postgres: EmbeddedPostgres;

// Around the test, so that the nodes end before it. Its database is empty: the nodes begin at once and set it up.
before(async () => {
  postgres = await startEmbedded({ dataDir: folder, log: createLog('silent'), settings: ROOMY });
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test(`up to ${KILLS} kills of three nodes under mixed load, and a rolling restart`, async (t) => {
  const many = { kills: KILLS, killForMs: KILL_FOR_MS, betweenMs: 1_500, filesReadBack: 100 };
  const wanted = { databaseUrl: postgres.url, ...many };
  process.stdout.write(`${JSON.stringify(await outliveKills(t, wanted))}\n`);
});
