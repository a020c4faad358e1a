import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { settle } from '../../src/email/delivery/queue/settle.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { settlementOf, takeDue } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { messageTo, sandboxCopy, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';
import {
  attemptsAt,
  createHook,
  deliveriesOf,
  type Hook,
  type Received,
  startReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const DAY = 24 * 3600_000;
const DELIVERED = 'api_mail_log_delivered';
const DEFERRED = 'api_mail_log_temporary_failure';
const BOUNCED = 'api_mail_log_permanent_failure';
const OPENED = 'api_mail_log_opened';
const RECIPIENT = 'patient-zq7@example.com';
const SUBJECT = 'Results of zq7';
const HEADERS = { from: 'Clinic <clinic@example.org>', subject: SUBJECT, 'X-Case': 'zq7-1' };

const clock = createMovableClock();
let app: TestApp;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
});

interface Setup {
  key: string;
  receiver: WebhookReceiver;
  hook: Hook;
}

/** A customer with an endpoint that hears of what was delivered. */
async function prepare(t: TestContext): Promise<Setup> {
  const { key } = await app.createCustomer();
  const receiver = await startReceiver(t);
  return { key, receiver, hook: await createHook(app, key, { url: receiver.url, events: [DELIVERED] }) };
}

function sendOne({ key }: Setup, more: Record<string, unknown> = {}): Promise<string> {
  return send(app, key, messageTo(RECIPIENT, { headers: HEADERS, ...more }));
}

/** Waits until every delivery of an endpoint is in one state, and answers the log. */
function allIn({ key, hook }: Setup, state: string, count: number) {
  return eventually(async () => {
    const log = await deliveriesOf(app, key, hook);
    return log.length >= count && log.every((each) => each.state === state) && log;
  });
}

function verify({ secret }: Hook, { raw, headers }: Received): unknown {
  return new Webhook(secret).verify(raw, headers as Record<string, string>);
}

/** The signatures of a request, and what the library makes of a secret for it at that time. */
function signaturesOf({ headers, raw }: Received) {
  const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']] as [string, string];
  return {
    sent: (headers['webhook-signature'] as string).split(' '),
    by: (secret: string) => new Webhook(secret).sign(id, new Date(Number(at) * 1000), raw),
  };
}

function byRecipient(one: { payload: { to: string } }, other: typeof one): number {
  return one.payload.to.localeCompare(other.payload.to);
}

function hooksPath({ hook }: Setup, rest: string): string {
  return `/v1/webhooks/endpoints/${hook.uuid}${rest}`;
}

test('each kind of event is posted once per recipient, signed, and says what the message said', async (t) => {
  const quiet = await startApp(t, { clock });
  const { key } = await quiet.createCustomer();
  const receiver = await startReceiver(t);
  const hook = await createHook(quiet, key, {
    url: receiver.url,
    events: [DELIVERED, DEFERRED, BOUNCED, OPENED],
    api_key: 'receivers-own-key',
  });
  const headers = HEADERS;
  const deferred = await send(quiet, key, messageTo('one@example.com', { headers, cc: ['two@example.com'] }));
  const bounced = await send(quiet, key, messageTo('three@example.com', { headers }));
  const { ownerUrl, log, vault } = quiet.installation;
  const db = openDatabase({ ownerUrl, log }, 'worker', 1);
  t.after(() => db.close());
  const leases = await takeDue({ db, clock });
  await settle(
    { db, vault, clock },
    leases.map((lease) => {
      const result = lease.message_id === bounced ? 'refused' : 'deferred';
      return settlementOf(lease, { result, code: 451, reply: '4xx or 5xx' }, null);
    }),
  );
  const working = await startApp(t, { clock, beside: quiet, env: { CAREPOST_ROLES: 'http,worker' } });
  await receiver.atLeast(3);
  const html = '<p>hello <a href="https://example.com/">there</a></p>';
  const opened = await send(working, key, messageTo(RECIPIENT, { headers, content: { 'text/html': html } }));
  const copy = await sandboxCopy(working, key, opened);
  await receiver.atLeast(4);
  for (const [path] of copy.html.matchAll(/\/t\/[\w-]+/g)) {
    await fetch(working.url + path, { headers: { 'user-agent': 'Thunderbird' }, redirect: 'manual' });
  }
  await receiver.atLeast(5);

  const at = clock.now().toISOString();
  const expected = [
    [DEFERRED, deferred, 0, 'one@example.com'],
    [DEFERRED, deferred, 1, 'two@example.com'],
    [BOUNCED, bounced, 0, 'three@example.com'],
    [DELIVERED, opened, 0, RECIPIENT],
    [OPENED, opened, 0, RECIPIENT],
  ] as const;
  const requests = receiver.received.toSorted((one, other) => one.sequence - other.sequence);
  const bodies = requests.map(({ body }) => body);
  const described = expected.map(([event_name, id, ordinal, to]) => ({
    event_name,
    payload: {
      subject: SUBJECT,
      header_message_id: `<${id}@example.org>`,
      source_tracking_id: id,
      outbound_queue_id: `${id}-${ordinal}`,
      time: at,
      from: 'clinic@example.org',
      to,
      custom_headers: { 'X-Case': 'zq7-1' },
    },
  }));
  assert.deepEqual(
    bodies.map(({ payload: { id: _id, ...payload }, ...rest }) => ({ ...rest, payload })).toSorted(byRecipient),
    described.toSorted(byRecipient),
  );
  assert.deepEqual(
    requests.map(({ sequence, body: { payload } }) => [sequence, payload.id]),
    [1, 2, 3, 4, 5].map((n) => [n, n]),
  );
  for (const request of receiver.received) {
    assert.deepEqual(verify(hook, request), request.body);
    assert.deepEqual([request.method, request.path], ['POST', '/hook']);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers.authorization, 'Bearer receivers-own-key');
    const forged = { ...request, raw: request.raw.replace('zq7', 'zq8') };
    assert.throws(() => verify(hook, forged), /No matching signature/);
  }
  assert.equal(new Set(receiver.received.map((request) => request.headers['webhook-id'])).size, 5);
  await working.stop();
});

test('with many messages at once each endpoint counts 1, 2, 3 … without a gap', async (t) => {
  const setup = await prepare(t);
  const other = await startReceiver(t);
  await createHook(app, setup.key, { url: other.url, events: [OPENED, DELIVERED] });
  const count = 60;
  const ids = await Promise.all(Array.from({ length: count }, () => sendOne(setup)));
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (const receiver of [setup.receiver, other]) {
    const requests = await receiver.atLeast(count);
    const bodies = requests.map(({ body }) => body);
    assert.deepEqual(
      requests.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
      numbers,
    );
    assert.deepEqual(bodies.map(({ payload }) => payload.source_tracking_id as string).toSorted(), ids.toSorted());
    assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, count);
  }
  const newest = await deliveriesOf(app, setup.key, setup.hook);
  assert.deepEqual(
    newest.map(({ sequence }) => sequence),
    numbers.slice(-50),
  );
  const path = hooksPath(setup, `/deliveries?before=${newest[0]?.sequence}`);
  const older = (await app.request('GET', path, { key: setup.key })).body.data;
  assert.deepEqual(
    older.map(({ sequence }: { sequence: number }) => sequence),
    numbers.slice(0, 10).toReversed(),
  );
  const sent = new Map(setup.receiver.received.map(({ headers, sequence }) => [headers['webhook-id'], sequence]));
  for (const { id, sequence } of newest) assert.equal(sent.get(id), sequence);
});

test('after a rotation both secrets sign for a day, then only the new one', async (t) => {
  const setup = await prepare(t);
  const { receiver, hook, key } = setup;
  const { body } = await app.request('POST', hooksPath(setup, '/rotate_secret'), { key });
  const fresh = body.data.signing_secret as string;
  for (const [pause, count] of [
    [0, 2],
    [DAY - 1, 2],
    [1, 1],
  ] as const) {
    clock.advance(pause);
    const seen = receiver.received.length;
    await sendOne(setup);
    const requests = await receiver.atLeast(seen + 1);
    const { sent, by } = signaturesOf(requests.at(-1) as Received);
    assert.equal(sent.length, count, `after ${pause} ms more`);
    assert.ok(sent.includes(by(fresh)));
    assert.equal(sent.includes(by(hook.secret)), count === 2);
  }
});

test('one delivery or a range is sent again under the same id and with the same bytes', async (t) => {
  const setup = await prepare(t);
  const { receiver, key } = setup;
  const replay = async (body: unknown) => {
    const reply = await app.request('POST', hooksPath(setup, '/replay'), { key, body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data.replayed as number;
  };
  const starts: string[] = [];
  for (let sequence = 1; sequence <= 4; sequence += 1) {
    clock.advance(60_000);
    starts.push(clock.now().toISOString());
    await sendOne(setup);
    await allIn(setup, 'delivered', sequence);
  }
  const log = await allIn(setup, 'delivered', 4);
  const [since, until] = [starts[1], starts[3]];
  for (const [wish, again] of [
    [{ delivery_id: log[1]?.id }, [2]],
    [{ from_sequence: 2, to_sequence: 3 }, [2, 3]],
    [{ from_sequence: 3 }, [3, 4]],
    [{ to_sequence: 1 }, [1]],
    [{ since, until }, [2, 3]],
    [{ since, to_sequence: 2 }, [2]],
    [{ from_sequence: 9 }, []],
  ] as const) {
    const seen = receiver.received.length;
    assert.equal(await replay(wish), again.length, JSON.stringify(wish));
    const requests = (await receiver.atLeast(seen + again.length)).slice(seen);
    assert.deepEqual(
      requests.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
      again,
    );
    await allIn(setup, 'delivered', 4);
  }
  for (const [id, requests] of Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id'])) {
    assert.equal(new Set(requests.map(({ raw }) => raw)).size, 1, 'the same bytes');
    const attempts = await attemptsAt(app, key, setup.hook, id as string);
    assert.deepEqual(
      attempts.map(({ attempt }) => attempt),
      requests.map((_, index) => index + 1),
      'they go on counting',
    );
  }
  const refused = async (body: unknown, hook = setup) =>
    (await app.request('POST', hooksPath(hook, '/replay'), { key: hook.key, body })).status;
  assert.equal(await refused({}), 422);
  assert.equal(await refused({ since: 'yesterday' }), 422);
  const other = await prepare(t);
  assert.equal(await refused({ delivery_id: log[0]?.id }, other), 403);
  assert.equal(await refused({ delivery_id: crypto.randomUUID() }), 404);
});

test('what is kept and logged of a delivery holds ids, states and times, and nothing of the message', async (t) => {
  const setup = await prepare(t);
  const { key, hook, receiver } = setup;
  receiver.answer(({ sequence }) => ({ status: sequence === 1 ? 200 : 418 }));
  const id = await sendOne(setup);
  await allIn(setup, 'delivered', 1);
  await sendOne(setup);
  const log = await eventually(async () => {
    const all = await deliveriesOf(app, key, hook);
    const attempts = all[1] === undefined ? [] : await attemptsAt(app, key, hook, all[1].id);
    return attempts[0]?.outcome === 'refused' && deliveriesOf(app, key, hook);
  });
  assert.deepEqual(
    log.map(({ sequence, event_name: name, state, attempts }) => [sequence, name, state, attempts]),
    [
      [1, DELIVERED, 'delivered', 1],
      [2, DELIVERED, 'pending', 1],
    ],
  );
  const read = (state: string) => app.request('GET', hooksPath(setup, `/deliveries?state=${state}`), { key });
  assert.deepEqual(
    (await read('pending')).body.data.map((each: { id: string }) => each.id),
    [log[1]?.id],
  );
  assert.deepEqual((await read('failed')).body.data, []);
  const one = await app.request('GET', hooksPath(setup, `/deliveries/${log[0]?.id}`), { key });
  assert.equal(one.body.data.source_tracking_id, id);
  const now = clock.now().toISOString();
  assert.deepEqual(one.body.data.log, [
    { attempt: 1, started_at: now, finished_at: now, outcome: 'delivered', status: 200 },
  ]);
  const kept = await asOwner(app, async (client) => {
    const tables = ['webhook_deliveries', 'webhook_attempts', 'message_events', 'webhook_endpoints', 'audit_log'];
    const texts = tables.map((name) => `select t::text from ${name} t where customer_id > 0`);
    return JSON.stringify((await client.query(texts.join(' union all '))).rows);
  });
  assert.ok(kept.includes(id));
  for (const text of [one.text, (await read('delivered')).text, kept, app.logged()]) {
    for (const hidden of ['zq7', '@example', 'Results', '127.0.0.1:', '/hook']) {
      if (text === app.logged() && hidden.startsWith('127')) continue;
      assert.ok(!text.includes(hidden), hidden);
    }
  }
});
