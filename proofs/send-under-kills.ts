// 25 times `kill -9` of the server while messages come in by HTTP, in batches and by SMTP: afterwards
// every acknowledged message must be there and delivered, once or with the attempt that explains it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import { withConnection } from '../src/platform/db/pool.ts';
import { eventually } from '../tests/support/eventually.ts';
import {
  createHome,
  firstKey,
  freePort,
  ownerUrlOf,
  type ServerProcess,
  startServer,
} from '../tests/support/server.ts';
import { KILLS, killRepeatedly } from './kill-repeatedly.ts';

const BATCH = 10;

const text = 'x'.repeat(2_000);
let number = 0;

function message() {
  number += 1;
  return {
    recipients: [`patient-${number}@example.com`],
    headers: { from: `clinic@example.org`, subject: `Message ${number}` },
    content: { 'text/plain': text },
  };
}

async function post(url: string, key: string, path: string, data: object): Promise<string[]> {
  const reply = await fetch(`${url}/v1/email/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  if (reply.status !== 200) return [];
  const body = (await reply.json()) as { sourceTrackingId?: string; messages?: { sourceTrackingId: string }[] };
  return (body.messages ?? [body]).map((each) => each.sourceTrackingId as string);
}

async function submit(port: number, key: string): Promise<string[]> {
  const { recipients, headers } = message();
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'apikey', pass: key },
  });
  try {
    const { response } = await transport.sendMail({
      from: headers.from,
      to: recipients[0],
      subject: headers.subject,
      text,
    });
    return [/queued as ([0-9a-f-]{36})/.exec(response)?.[1] as string];
  } finally {
    transport.close();
  }
}

test(`${KILLS} kills under load`, async (t) => {
  const place = await createHome(t);
  const smtpPort = await freePort();
  const env = { CAREPOST_LOG_LEVEL: 'error', CAREPOST_SMTP_PORT: String(smtpPort) };
  let server: ServerProcess = await startServer(t, place, env);
  const key = firstKey(server);
  const acknowledged = { http: [] as string[], bulk: [] as string[], smtp: [] as string[] };
  let unanswered = 0;
  const done = new AbortController();

  const keepSending = async (door: keyof typeof acknowledged, send: () => Promise<string[]>) => {
    while (!done.signal.aborted) {
      try {
        acknowledged[door].push(...(await send()));
      } catch {
        unanswered += 1; // may be stored or not
        await sleep(20);
      }
    }
  };
  const senders = [
    ...Array.from({ length: 8 }, () =>
      keepSending('http', () => post(server.url, key, 'messages', { message: message() })),
    ),
    ...Array.from({ length: 2 }, () =>
      keepSending('bulk', () =>
        post(server.url, key, 'bulk_messages', { messages: Array.from({ length: BATCH }, message) }),
      ),
    ),
    ...Array.from({ length: 4 }, () => keepSending('smtp', () => submit(smtpPort, key))),
  ];
  await killRepeatedly(
    () => server,
    async () => {
      server = await startServer(t, place, env);
    },
  );
  done.abort();
  await Promise.all(senders);

  const ids = Object.values(acknowledged).flat();
  assert.equal(new Set(ids).size, ids.length, 'no two acknowledgements share an id');
  const found = await withConnection(ownerUrlOf(place), async (client) => {
    const count = async (sql: string) => Number((await client.query(sql, [ids])).rows[0].n);
    // What a kill caught between taking and settling falls due again when its lease ends.
    await client.query('update message_recipients set due_at = now() where due_at is not null');
    await eventually(
      async () =>
        (await count(
          `select count(*) as n from message_recipients where due_at is not null and $1::uuid[] is not null`,
        )) === 0,
      300_000,
    );
    return {
      messages: await count('select count(*) as n from messages where id = any($1)'),
      audited: await count(`select coalesce(sum((details->>'messages')::int), 0) as n from audit_log
        where action = 'message.accepted' and $1::uuid[] is not null`),
      all: await count('select count(*) as n from messages where $1::uuid[] is not null'),
      delivered: await count(
        `select count(*) as n from message_recipients where message_id = any($1) and state = 'delivered'`,
      ),
      inSandbox: await count('select count(distinct message_id) as n from sandbox_messages where message_id = any($1)'),
      events: await count(
        `select count(*) as n from message_events where message_id = any($1) and name like '%delivered'`,
      ),
      deliveredTwice: await count(`select count(*) as n from (select message_id from delivery_attempts
        where message_id = any($1) and outcome = 'delivered' group by message_id having count(*) > 1) d`),
      cutShort: await count(
        'select count(*) as n from delivery_attempts where message_id = any($1) and outcome is null',
      ),
    };
  });
  const audit = spawnSync(process.execPath, ['src/main.ts', 'audit', 'verify', '--json'], {
    env: { ...process.env, CAREPOST_DATA_DIR: place.dataDir },
    encoding: 'utf8',
  });
  const doors = Object.entries(acknowledged).map(([door, list]) => `${door} ${list.length}`);
  process.stdout.write(
    `acknowledged: ${doors.join(', ')}; unanswered requests: ${unanswered}\n${JSON.stringify(found)}\n`,
  );
  process.stdout.write(`audit verify: ${audit.stdout.trim()}\n`);
  assert.equal(found.messages, ids.length, 'nothing acknowledged is missing');
  assert.equal(found.delivered, ids.length);
  assert.equal(found.inSandbox, ids.length);
  assert.equal(found.events, ids.length, 'one event for each delivery');
  assert.equal(found.deliveredTwice, 0, 'no attempt follows one that was noted as delivered');
  assert.equal(found.audited, found.all, 'every stored message has its audit entry');
  assert.equal(audit.status, 0, audit.stdout + audit.stderr);
});
