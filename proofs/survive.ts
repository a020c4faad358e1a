import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPersistentClient } from '../tests/nodes/persistent-client.ts';
import { underLoad } from '../tests/nodes/under-load.ts';
import { eventually } from '../tests/support/eventually.ts';
import { firstKey, freePort, type Home, ownerUrlOf, startServer } from '../tests/support/server.ts';

export const WELL_AGAIN_MS = 10_000;
const BETWEEN_MS = 1_500;
/** Whoever asks just before half a minute of silence is answered after it. */
const GIVE_UP_MS = 60_000;
const FILES_READ_BACK = 50;
/** Over HTTP, and by SMTP. */
const COME_AGAIN = /^(503|507|421|45[0-4])$/;

/**
 * Strikes an installation under mixed load again and again. Meanwhile nobody may be told anything but to come again, nobody
 * may be left without an answer, it must be well again by itself within seconds, and nothing acknowledged may be lost.
 */
export async function survive(t: TestContext, home: Home, times: number, strike: () => Promise<void>): Promise<void> {
  const smtpPort = await freePort();
  const server = await startServer(t, home, {
    CAREPOST_LOG_LEVEL: 'error',
    CAREPOST_SMTP_PORT: String(smtpPort),
    CAREPOST_LIMITS: 'free-disk=1MB,form=900000/60s',
  });
  const client = createPersistentClient({ giveUpMs: GIVE_UP_MS });
  const loaded = {
    doors: { url: server.url, smtpPort, key: firstKey(server) },
    ownerUrl: ownerUrlOf(home),
    env: { CAREPOST_DATA_DIR: home.dataDir },
    client,
    filesReadBack: FILES_READ_BACK,
  };
  let slowestReturnMs = 0;
  const found = await underLoad(t, loaded, async () => {
    for (let time = 0; time < times; time += 1) {
      await sleep(BETWEEN_MS);
      await strike();
      const began = performance.now();
      await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 200, 2 * WELL_AGAIN_MS);
      slowestReturnMs = Math.max(slowestReturnMs, Math.round(performance.now() - began));
    }
    await sleep(BETWEEN_MS);
  });
  const told = Object.fromEntries(client.refusals);
  process.stdout.write(`${JSON.stringify({ times, ...found, slowestReturnMs, told })}\n`);
  const other = [...client.refusals.keys()].filter((reason) => !COME_AGAIN.test(reason));
  assert.deepEqual(other, [], 'nobody is told anything but to come again');
  assert.ok(slowestReturnMs <= WELL_AGAIN_MS);
}
