import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { createHome, firstKey, ownerUrlOf, postmasterOf, startServer } from '../support/server.ts';

test('after kill -9 of the process, of its group, and of the group during a long query it is ready again', async (t) => {
  const home = await createHome(t);
  let server = await startServer(t, home);
  const longQuery = () => {
    const query = withConnection(ownerUrlOf(home), (client) => client.query('select pg_sleep(60)'));
    return query.then(
      () => 'finished',
      () => 'broken off',
    );
  };
  const kills: [string, () => Promise<unknown>][] = [
    ['the process alone', () => server.kill('SIGKILL')],
    ['its group', () => server.killGroup('SIGKILL')],
    [
      'its group during a long query',
      async () => {
        const outcome = longQuery();
        await eventually(async () =>
          withConnection(ownerUrlOf(home), async (client) => {
            const { rows } = await client.query(`select from pg_stat_activity where query = 'select pg_sleep(60)'`);
            return rows.length > 0;
          }),
        );
        await server.killGroup('SIGKILL');
        assert.equal(await outcome, 'broken off');
      },
    ],
  ];
  for (const [what, kill] of kills) {
    await kill();
    const startedAt = Date.now();
    server = await startServer(t, home);
    t.diagnostic(`killed ${what}: ready after ${Date.now() - startedAt} ms`);
  }
});

test('with the database killed, requests get 503 with Retry-After, and it recovers by itself', async (t) => {
  const home = await createHome(t);
  const server = await startServer(t, home);
  const key = firstKey(server);
  const list = () =>
    fetch(`${server.url}/v1/forms/api/forms?customer_id=1`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal((await list()).status, 200);
  const seen = new Map<number, number>();
  process.kill(postmasterOf(home), 'SIGKILL');
  await eventually(async () => {
    const reply = await list();
    seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
    if (reply.status === 503) {
      assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
      assert.ok(((await reply.json()) as { errors: unknown[] }).errors.length > 0);
    }
    return reply.status === 200 && seen.has(503);
  }, 30_000);
  assert.deepEqual(
    [...seen.keys()].toSorted((one, other) => one - other),
    [200, 503],
  );
});

test('a second start shows no key again, and SIGTERM ends it cleanly', async (t) => {
  const home = await createHome(t);
  const first = await startServer(t, home);
  assert.match(first.output(), /cp_live_/);
  assert.match(first.output(), /curl -s http/);
  await first.kill('SIGTERM');
  const second = await startServer(t, home);
  assert.doesNotMatch(second.output(), /cp_live_/);
  assert.doesNotMatch(second.output(), /setup#/);
  await second.kill('SIGTERM');
  assert.doesNotMatch(second.output(), /"level":"error"/);
});
