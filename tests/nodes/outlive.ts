import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from './cluster.ts';
import { createPersistentClient } from './persistent-client.ts';
import { underLoad } from './under-load.ts';

const LONGEST_REFUSAL_MS = 3_000;

interface Wanted {
  databaseUrl: string;
  kills: number;
  /** No further one is killed after this time. */
  killForMs: number;
  /** How long there is load between one node's return and the next one's end. */
  betweenMs: number;
  filesReadBack: number;
}

/**
 * Three nodes under mixed load, one after the other killed with `kill -9`, then each restarted in turn by SIGTERM:
 * nothing acknowledged may be missing or doubled, and nobody may be refused for longer than three seconds. Answers figures.
 */
export async function outliveKills(t: TestContext, wanted: Wanted): Promise<Record<string, number>> {
  const env = { CAREPOST_LIMITS: 'free-disk=1MB,form=900000/60s', CAREPOST_DRAIN_SECONDS: '1' };
  const cluster = await startCluster(t, { count: 3, databaseUrl: wanted.databaseUrl, env });
  try {
    return await outlive(t, cluster, wanted);
  } finally {
    await cluster.stop();
  }
}

async function outlive(t: TestContext, cluster: Cluster, wanted: Wanted): Promise<Record<string, number>> {
  const { databaseUrl: ownerUrl, betweenMs, filesReadBack } = wanted;
  const doors = { url: `http://127.0.0.1:${cluster.http.port}`, smtpPort: cluster.smtp.port, key: cluster.key };
  const client = createPersistentClient();
  const enough = performance.now() + wanted.killForMs;
  let kills = 0;
  const found = await underLoad(t, { doors, ownerUrl, env: cluster.env, client, filesReadBack }, async () => {
    for (; kills < wanted.kills && performance.now() < enough; kills += 1) {
      await sleep(betweenMs);
      await restart(cluster, kills % 3, 'SIGKILL');
    }
    for (const node of cluster.nodes.keys()) {
      await sleep(betweenMs);
      await restart(cluster, node, 'SIGTERM');
    }
    await sleep(betweenMs);
  });
  const figures = { kills, ...found };
  assert.ok(client.told.longestRefusalMs <= LONGEST_REFUSAL_MS, JSON.stringify(figures));
  return figures;
}

async function restart({ nodes }: Cluster, index: number, signal: NodeJS.Signals): Promise<void> {
  const node = nodes[index] as Cluster['nodes'][number];
  await node.server.kill(signal);
  await node.start();
}
