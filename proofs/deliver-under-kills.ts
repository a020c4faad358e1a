// 25 times `kill -9` of the server while messages come in by HTTP, in batches and by SMTP and leave for the mail servers of
// several domains: afterwards nothing acknowledged is missing there, and nothing came twice but what the ledger calls
// uncertain, under the same Message-ID and no oftener than it says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailWorld } from '../bench/mail-world.ts';
import type { Received } from '../bench/sink.ts';
import { signIn } from '../bench/smtp-client.ts';
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

const DOMAINS = ['one.example', 'two.example', 'three.example'];
const SENDER = 'clinic.example';
const BATCH = 10;
const TEXT = 'x'.repeat(2_000);
/** A lease that a kill left behind ends after a minute; retries come a minute later. */
const LONGEST_DRAIN_MS = 6 * 60_000;

/** A recipient of whom the product has said that it has their message. */
interface Acknowledged {
  id: string;
  recipient: string;
}

let number = 0;

/** Nobody gets two messages, so what comes twice to somebody is one that was sent twice. */
function nextRecipient(): string {
  number += 1;
  return `patient-${number}@${DOMAINS[number % DOMAINS.length]}`;
}

function message(recipients: string[]) {
  return {
    recipients,
    headers: { from: `desk@${SENDER}`, subject: 'Your visit' },
    content: { 'text/plain': TEXT },
  };
}

async function post(server: ServerProcess, key: string, path: string, body?: object, method = 'POST') {
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}

/** One message to somebody at each of two domains. */
async function sendOne(server: ServerProcess, key: string): Promise<Acknowledged[]> {
  const recipients = [nextRecipient(), nextRecipient()];
  const body = { data: { message: message(recipients) } };
  const { sourceTrackingId } = await post(server, key, '/v1/email/messages', body);
  return recipients.map((recipient) => ({ id: sourceTrackingId as string, recipient }));
}

async function sendBulk(server: ServerProcess, key: string): Promise<Acknowledged[]> {
  const recipients = Array.from({ length: BATCH }, nextRecipient);
  const messages = recipients.map((recipient) => message([recipient]));
  const reply = await post(server, key, '/v1/email/bulk_messages', { data: { messages } });
  const taken = reply.messages as { sourceTrackingId: string }[];
  return taken.map(({ sourceTrackingId: id }, index) => ({ id, recipient: recipients[index] as string }));
}

async function submit(port: number, key: string): Promise<Acknowledged[]> {
  const recipient = nextRecipient();
  const head = [`From: desk@${SENDER}`, `To: ${recipient}`, 'Subject: Your visit'];
  const data = Buffer.from([...head, '', ...(TEXT.match(/.{1,72}/g) ?? []), '.', ''].join('\r\n'));
  const submission = await signIn({ port, user: 'apikey', password: key });
  const reply = await submission.send(`desk@${SENDER}`, recipient, data);
  submission.end();
  const id = /queued as ([0-9a-f-]{36})/.exec(reply)?.[1];
  if (id === undefined) throw new Error(reply);
  return [{ id, recipient }];
}

/** What the ledger says of each message: how many of its attempts for a recipient's domain are uncertain. */
interface Ledger {
  states: Map<string, string[]>;
  uncertain: Map<string, number>;
  open: number;
}

async function readLedger(url: string): Promise<Ledger> {
  return withConnection(url, async (client) => {
    const recipients = await client.query(
      `select r.message_id || '/' || r.domain as place, r.state,
         count(*) filter (where a.outcome = 'uncertain')::int as uncertain,
         count(*) filter (where a.outcome is null)::int as open
       from message_recipients r left join delivery_attempts a using (message_id, ordinal)
       group by r.message_id, r.domain, r.ordinal, r.state`,
    );
    const ledger: Ledger = { states: new Map(), uncertain: new Map(), open: 0 };
    for (const { place, state, uncertain, open } of recipients.rows) {
      ledger.states.set(place, [...(ledger.states.get(place) ?? []), state]);
      ledger.uncertain.set(place, (ledger.uncertain.get(place) ?? 0) + uncertain);
      ledger.open += open;
    }
    return ledger;
  });
}

function idOf({ messageId }: Received): string {
  return messageId.split('@')[0] as string;
}

function domainOf(recipient: string): string {
  return recipient.slice(recipient.indexOf('@') + 1);
}

test(`${KILLS} kills under direct delivery`, async (t) => {
  const world = await startMailWorld(DOMAINS);
  t.after(() => world.stop());
  const place = await createHome(t);
  const smtpPort = await freePort();
  const env = { ...world.env, CAREPOST_LOG_LEVEL: 'error', CAREPOST_SMTP_PORT: String(smtpPort) };
  let server: ServerProcess = await startServer(t, place, env);
  const key = firstKey(server);
  await world.verifySender((method, path, body) => post(server, key, path, body, method), SENDER);
  const acknowledged = { http: [] as Acknowledged[], bulk: [] as Acknowledged[], smtp: [] as Acknowledged[] };
  let unanswered = 0;
  const done = new AbortController();

  const keepSending = async (door: keyof typeof acknowledged, send: () => Promise<Acknowledged[]>) => {
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
    ...Array.from({ length: 4 }, () => keepSending('http', () => sendOne(server, key))),
    keepSending('bulk', () => sendBulk(server, key)),
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
  await eventually(async () => {
    const { states } = await readLedger(ownerUrlOf(place));
    return [...states.values()].flat().every((state) => state !== 'queued');
  }, LONGEST_DRAIN_MS);

  const ledger = await readLedger(ownerUrlOf(place));
  const received = (await Promise.all(world.sinks.map((sink) => sink.read()))).flatMap((read) => read.received);
  const byRecipient = Map.groupBy(received, ({ recipient }) => recipient);
  const all = Object.values(acknowledged).flat();
  const missing = all.filter(({ recipient }) => !byRecipient.has(recipient));
  const doubled = [...byRecipient.values()].filter((copies) => copies.length > 1);
  const uncertain = [...ledger.uncertain.values()].reduce((sum, count) => sum + count, 0);
  const doors = Object.entries(acknowledged).map(([door, list]) => `${door} ${list.length}`);
  process.stdout.write(
    `killed ${KILLS} times; acknowledged recipients: ${doors.join(', ')}; unanswered requests: ${unanswered}\n` +
      `at the sinks: ${received.length} for ${byRecipient.size} recipients, ${missing.length} missing, ` +
      `${doubled.length} more than once (most ${Math.max(...doubled.map(({ length }) => length), 0)}), ` +
      `${uncertain} uncertain attempts\n`,
  );

  assert.ok(all.length > 1_000, 'there was something to lose');
  assert.deepEqual(missing, [], 'nothing acknowledged is missing');
  for (const { id, recipient } of all) {
    assert.equal(idOf(byRecipient.get(recipient)?.[0] as Received), id, 'it came as what was acknowledged');
  }
  assert.ok(
    [...ledger.states.values()].flat().every((state) => state === 'delivered'),
    'the ledger calls everything delivered',
  );
  assert.equal(ledger.open, 0, 'no attempt is left open');
  for (const copies of doubled) {
    const [first] = copies as [Received, ...Received[]];
    assert.equal(new Set(copies.map(({ messageId }) => messageId)).size, 1, 'copies have one Message-ID');
    const noted = ledger.uncertain.get(`${idOf(first)}/${domainOf(first.recipient)}`) ?? 0;
    assert.ok(copies.length <= noted + 1, `${copies.length} copies, ${noted} uncertain attempts`);
  }
});
