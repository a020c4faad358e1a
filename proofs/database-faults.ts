// The embedded PostgreSQL goes wrong under mixed load: it is killed, restarted, loses its connections and stands still.
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeOf } from '../bench/measure.ts';
import { withConnection } from '../src/platform/db/pool.ts';
import { eventually } from '../tests/support/eventually.ts';
import { createHome, type Home, ownerUrlOf, postmasterOf } from '../tests/support/server.ts';
import { survive, WELL_AGAIN_MS } from './survive.ts';

const STAND_STILL_MS = 30_000;

/** Once it serves again, or the next strike would hit a server that is still on its way. */
async function untilReplaced(home: Home, before: number): Promise<void> {
  await eventually(async () => {
    try {
      return postmasterOf(home) !== before && (await canAsk(home));
    } catch {
      return false;
    }
  }, WELL_AGAIN_MS);
}

async function canAsk(home: Home): Promise<boolean> {
  await withConnection(ownerUrlOf(home), (client) => client.query('select 1'));
  return true;
}

for (const [what, signal, times] of [
  ['killed with kill -9', 'SIGKILL', 100],
  ['stopped, as by a fast restart', 'SIGINT', 15],
] as const) {
  test(`PostgreSQL is ${what} ${times} times under mixed load`, async (t) => {
    const home = await createHome(t);
    await survive(t, home, times, async () => {
      const postmaster = postmasterOf(home);
      process.kill(postmaster, signal);
      await untilReplaced(home, postmaster);
    });
  });
}

test('all connections are ended 30 times under mixed load', async (t) => {
  const home = await createHome(t);
  await survive(t, home, 30, () =>
    withConnection(ownerUrlOf(home), async (client) => {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
    }),
  );
});

test(`PostgreSQL stands still for ${STAND_STILL_MS / 1000} seconds, three times under mixed load`, async (t) => {
  const home = await createHome(t);
  await survive(t, home, 3, async () => {
    const processes = treeOf(postmasterOf(home));
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    await sleep(STAND_STILL_MS);
    for (const pid of processes.toReversed()) process.kill(pid, 'SIGCONT');
  });
});
