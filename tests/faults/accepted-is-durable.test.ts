import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withConnection } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { createHome, firstKey, ownerUrlOf, type ServerProcess, startServer } from '../support/server.ts';

const MESSAGES = 1_000;
const SENDERS = 16;
const KILL_AFTER = [150, 400, 700];

async function send(server: ServerProcess, key: string, number: number): Promise<string | null> {
  try {
    const reply = await fetch(`${server.url}/v1/email/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        data: {
          message: {
            recipients: [`patient-${number}@example.com`],
            headers: { from: 'clinic@example.org', subject: `Message ${number}` },
            content: { 'text/plain': 'x'.repeat(2_000) },
          },
        },
      }),
    });
    return reply.status === 200 ? ((await reply.json()) as { sourceTrackingId: string }).sourceTrackingId : null;
  } catch {
    return null; // no answer: it may be stored or not
  }
}

test('killed with kill -9 during 1,000 accepts, every acknowledged one is there, once', async (t) => {
  const home = await createHome(t);
  let server = await startServer(t, home, { CAREPOST_LOG_LEVEL: 'error' });
  const key = firstKey(server);
  const acknowledged: string[] = [];
  let next = 0;
  let restart: Promise<void> | null = null;
  const kills = [...KILL_AFTER];

  const killAndStart = async () => {
    await server.kill('SIGKILL');
    server = await startServer(t, home, { CAREPOST_LOG_LEVEL: 'error' });
    restart = null;
  };
  const sender = async () => {
    while (next < MESSAGES) {
      if (restart !== null) await restart;
      const id = await send(server, key, next++);
      if (id !== null) acknowledged.push(id);
      if (restart === null && acknowledged.length > (kills[0] ?? Number.POSITIVE_INFINITY)) {
        kills.shift();
        restart = killAndStart();
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await (restart as Promise<void> | null);
  assert.equal(kills.length, 0, 'every kill took place');
  assert.equal(new Set(acknowledged).size, acknowledged.length);

  await withConnection(ownerUrlOf(home), async (client) => {
    const count = async (sql: string) => Number((await client.query(sql, [acknowledged])).rows[0].n);
    const there = await count('select count(*) as n from messages where id = any($1)');
    const recipients = await count('select count(*) as n from message_recipients where message_id = any($1)');
    const contents = await count('select count(*) as n from message_contents where id = any($1)');
    const audited = await count(
      `select count(*) as n from audit_log where action = 'message.accepted' and target = any($1)`,
    );
    assert.deepEqual(
      { there, recipients, contents, audited },
      {
        there: acknowledged.length,
        recipients: acknowledged.length,
        contents: acknowledged.length,
        audited: acknowledged.length,
      },
    );
    // What a kill caught between taking and settling falls due again when its lease ends.
    await client.query(`update message_recipients set due_at = now() where due_at is not null`);
    await eventually(
      async () =>
        (await count(
          'select count(*) as n from message_recipients where due_at is not null and $1::uuid[] is not null',
        )) === 0,
      60_000,
    );
    const delivered = await count('select count(*) as n from sandbox_messages where message_id = any($1)');
    assert.equal(delivered, acknowledged.length, 'each was delivered once');
  });
  t.diagnostic(`${acknowledged.length} acknowledged of ${MESSAGES}, ${KILL_AFTER.length} kills`);
});
