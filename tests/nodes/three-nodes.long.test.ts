import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/db/embedded.ts';
import { createLog } from '../../src/platform/log.ts';
import { outliveKills } from './outlive.ts';

const folder = mkdtempSync(join(tmpdir(), 'carepost-three-'));
let postgres: EmbeddedPostgres;

// Around the test, so that the nodes end before it, and of its own: three nodes would take the connections of other tests.
before(async () => {
  const settings = { max_connections: '150' };
  postgres = await startEmbedded({ dataDir: folder, log: createLog('silent'), settings });
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test('three nodes under load lose and double nothing while they are killed and restarted', async (t) => {
  const few = { kills: 1, killForMs: 20_000, betweenMs: 500, filesReadBack: 10 };
  const figures = await outliveKills(t, { databaseUrl: postgres.url, ...few });
  t.diagnostic(JSON.stringify(figures));
});
