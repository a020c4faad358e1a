// Thousands of worlds in which anything may happen to people and drips, played by the product and by a plain model of it:
// nobody may get a step twice, and nobody may be left out. RUNS says how many, SEED and REPLAY repeat what was found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { playWorlds } from '../tests/drip/model/play.ts';
import { startTestCluster } from '../tests/support/cluster.ts';

const RUNS = Number(process.env.RUNS ?? 3_000);
const { SEED, REPLAY } = process.env;

test(`${RUNS} worlds of drips`, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'carepost-model-'));
  const cluster = await startTestCluster(scratch);
  process.env.CAREPOST_TEST_DATABASE = cluster.templateUrl;
  const again = { ...(SEED && { seed: Number(SEED) }), ...(REPLAY && { path: REPLAY }) };
  await t.test('are as the model says', async (inner) => {
    const happened = await playWorlds(inner, { numRuns: RUNS, ...again });
    process.stdout.write(`${JSON.stringify(happened)}\n`);
  });
  await cluster.stop();
  rmSync(scratch, { recursive: true, force: true });
});
