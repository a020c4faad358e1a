// `kill -9` of the server again and again while it imports: afterwards everybody of the file must be there exactly once, and
// the counts must add up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../src/platform/db/pool.ts';
import { eventually } from '../tests/support/eventually.ts';
import { createHome, firstKey, ownerUrlOf, type ServerProcess, startServer } from '../tests/support/server.ts';

const ROWS = 200_000;
const KILLS = 5;
const LONGEST_MS = 120_000;

interface Attributes {
  state: string;
  rows_done: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
}

function* lines(): Generator<string> {
  yield 'email,first_name,Ward\n';
  for (let row = 0; row < ROWS; row += 1)
    yield row % 100 === 99 ? `nobody ${row},,\n` : `p${row}@example.com,N${row},7\n`;
}

test(`${KILLS} kills under an import`, async (t) => {
  const place = await createHome(t);
  const env = { CAREPOST_LOG_LEVEL: 'error', CAREPOST_LIMITS: 'free-disk=1MB' };
  let server: ServerProcess = await startServer(t, place, env);
  const headers = { authorization: `Bearer ${firstKey(server)}`, 'content-type': 'text/csv' };
  const call = async (method: string, path: string, body?: string) => {
    const asked = { method, headers, ...(body === undefined ? {} : { body }) };
    const reply = await fetch(`${server.url}/v1/marketing/imports${path}`, asked);
    return ((await reply.json()) as { data: { id: string; attributes: Attributes } }).data;
  };
  const { id } = await call('POST', '', [...lines()].join(''));
  const rowsDone = async () => (await call('GET', `/${id}`)).attributes.rows_done;
  let caught = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await rowsDone();
    await eventually(async () => (await rowsDone()) > before || before >= ROWS, LONGEST_MS);
    await sleep(Math.random() * 1_000);
    if ((await rowsDone()) < ROWS) caught += 1;
    await server.kill('SIGKILL');
    server = await startServer(t, place, env);
  }
  const told = await eventually(async () => {
    const { attributes } = await call('GET', `/${id}`);
    return attributes.state === 'done' && attributes;
  }, LONGEST_MS);
  const found = await withConnection(ownerUrlOf(place), async (client) => {
    const { rows } = await client.query(
      `select (select count(*) from subscribers) as people,
        (select count(distinct lower(email)) from subscribers) as addresses,
        (select count(*) from subscriptions where active) as subscriptions,
        (select sum(people) from people_counts) as counted, (select sum(active) from list_counts) as on_lists,
        (select count(*) from import_rejects) as rejects`,
    );
    return Object.fromEntries(Object.entries(rows[0] as object).map(([name, value]) => [name, Number(value)]));
  });
  const people = ROWS - ROWS / 100;
  process.stdout.write(`killed ${KILLS} times, ${caught} in the middle: ${JSON.stringify({ ...told, ...found })}\n`);
  assert.ok(caught > 1, 'the kills came in time');
  assert.deepEqual([told.created, told.updated, told.unchanged, told.skipped], [people, 0, 0, ROWS / 100]);
  for (const name of ['people', 'addresses', 'subscriptions', 'counted', 'on_lists'])
    assert.equal(found[name], people, name);
  assert.equal(found.rejects, ROWS / 100);
});
