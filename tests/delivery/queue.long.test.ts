import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { FindDestination } from '../../src/email/delivery/onward/destination.ts';
import { createFeed } from '../../src/email/delivery/queue/feed.ts';
import { releaseLeases } from '../../src/email/delivery/queue/held-leases.ts';
import { leaseDue } from '../../src/email/delivery/queue/lease.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock, type MovableClock } from '../support/clock.ts';
import { createPeer, createTestEngine, createWorker, takeDue, type Worker, willing } from '../support/delivery.ts';
import { messageTo, send } from '../support/mail.ts';
import { asOwner } from '../support/owner.ts';

const MINUTE = 60_000;
let app: TestApp;
let clock: MovableClock;
let worker: Worker;

before(async (t) => {
  clock = createMovableClock();
  app = await startApp(t as TestContext, { clock });
  worker = await createWorker(t as TestContext, app);
});

interface Row {
  domain: string;
  state: string;
  parked: boolean;
  attempts: number;
  due_at: Date | null;
}

async function rowsOf(id: string): Promise<Row[]> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query('select * from message_recipients where message_id = $1 order by ordinal', [
      id,
    ]);
    return rows as Row[];
  });
}

/** Nobody waits any more for what earlier tests have left. */
async function emptyQueue(): Promise<void> {
  await asOwner(app, async (client) => {
    await client.query(`update message_recipients set state = 'cancelled', due_at = null, parked = false`);
  });
}

/** Customers of whom each has sent something to somebody. */
async function sendFromMany(count: number, recipients: string[], scheduledIn = 0): Promise<number[]> {
  const ids: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const { id, key } = await app.createCustomer();
    ids.push(id);
    const message = { ...messageTo(''), recipients };
    if (scheduledIn === 0) await send(app, key, message);
    else {
      const at = new Date(clock.now().getTime() + scheduledIn).toISOString();
      const body = { data: { message, scheduled_at: at } };
      assert.equal((await app.request('POST', '/v1/email/schedule', { key, body })).status, 200);
    }
  }
  return ids;
}

test('customers whose mail is for later leave the whole turn to who has some now', async () => {
  await emptyQueue();
  await sendFromMany(34, ['later@example.com'], 60 * MINUTE);
  const { key } = await app.createCustomer();
  for (let place = 0; place < 5; place += 1) await send(app, key, messageTo(`now${place}@example.com`));
  const { leases, next } = await leaseDue(worker, { most: 64, full: [], after: 0 });
  assert.deepEqual([leases.length, next], [5, 0]);
});

test('mail for full servers stands aside, and comes to everybody in turn when they take more', async () => {
  await emptyQueue();
  const customers = await sendFromMany(40, ['ann@busy.example', 'bob@busy.example']);
  const { key } = await app.createCustomer();
  const calm = await send(app, key, messageTo('ann@calm.example'));
  const parked = { count: 0, leases: [] as string[] };
  for (let after = -1; after !== 0; ) {
    const taken = await leaseDue(worker, { most: 64, full: ['busy.example'], after: Math.max(after, 0) });
    parked.count += taken.parked;
    parked.leases.push(...taken.leases.map((lease) => lease.message_id));
    after = taken.next;
  }
  assert.deepEqual(parked, { count: 80, leases: [calm] });
  assert.deepEqual(await takeDue(worker), [], 'what stands aside is not due');
  const feed = createFeed(worker, () => true);
  const fed: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) fed.push(...(await feed.next()).map((lease) => lease.customer_id));
  const inOrder = fed.toSorted((one, other) => one - other);
  assert.deepEqual(inOrder, customers, 'nobody has a second turn before everybody has had one');
  for (let turn = 0; turn < 10; turn += 1) fed.push(...(await feed.next()).map((lease) => lease.customer_id));
  assert.equal(fed.length, 2 * customers.length, 'and nothing waits once everybody has');
});

test('whoever has more than a turn takes is looked at again, though the turn ended with the last customer', async () => {
  await emptyQueue();
  await sendFromMany(32, ['ann@example.com', 'bob@example.com', 'cho@example.com']);
  const engine = createTestEngine(worker, createPeer(willing).find);
  const takes: number[] = [];
  do takes.push(await engine.turn());
  while (engine.hasMore() && takes.length < 9);
  await engine.settled();
  const taken = takes.reduce((sum, some) => sum + some, 0);
  assert.ok(taken >= 96, `${taken} of 96 in ${takes.length} turns`);
});

/** A worker of which one statement fails, once. */
function failingOnce(name: string): Worker {
  let hasFailed = false;
  const call: Worker['db']['call'] = async (query) => {
    if (query.name !== name || hasFailed) return worker.db.call(query);
    hasFailed = true;
    throw new Error('the database is restarted');
  };
  return { ...worker, db: { ...worker.db, call } };
}

test('what stood aside is on its way, though a look at what is due fails at that moment', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@busy.example'));
  const { parked } = await leaseDue(worker, { most: 64, full: ['busy.example'], after: 0 });
  assert.equal(parked, 1);
  const engine = createTestEngine(failingOnce('lease-due'), createPeer(willing).find);
  await assert.rejects(engine.turn(), /restarted/);
  await engine.settled();
  assert.deepEqual(
    (await rowsOf(id)).map(({ state }) => state),
    ['delivered'],
  );
});

test('what cannot be read is given back, and taken again a second later', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.com'));
  const engine = createTestEngine(failingOnce('read-leased'), createPeer(willing).find);
  assert.equal(await engine.turn(), 1);
  await engine.settled();
  await assert.rejects(engine.turn(), /could not be read/, 'the next turn tells');
  assert.equal(await engine.turn(), 0, 'it is not tried at once');
  const [row] = await rowsOf(id);
  assert.deepEqual([row?.state, row?.attempts], ['queued', 0]);
  clock.advance(1_000);
  await engine.turn();
  await engine.settled();
  assert.deepEqual(
    (await rowsOf(id)).map(({ state }) => state),
    ['delivered'],
  );
});

/** What the driver throws where nobody listens. */
function awayError(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
}

/** The outcomes of the attempts at a message. */
async function outcomesOf(id: string): Promise<(string | null)[]> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      'select outcome from delivery_attempts where message_id = $1 order by attempt',
      [id],
    );
    return rows.map(({ outcome }) => outcome as string | null);
  });
}

test('what is taken right before the database goes away is given back when it is there again', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.com'));
  let toFail = 0;
  const call: Worker['db']['call'] = async (query) => {
    if (query.name !== 'read-leased') return worker.db.call(query);
    toFail = 1;
    throw awayError();
  };
  const untenanted: Worker['db']['untenanted'] = async (work) => {
    toFail -= 1;
    if (toFail === 0) throw awayError();
    return worker.db.untenanted(work);
  };
  const engine = createTestEngine({ ...worker, db: { ...worker.db, call, untenanted } }, createPeer(willing).find);
  assert.equal(await engine.turn(), 1);
  await engine.settled();
  const [row] = await rowsOf(id);
  assert.deepEqual([row?.state, row?.attempts, row?.due_at], ['queued', 0, new Date(clock.now().getTime() + 1_000)]);
  assert.deepEqual(await outcomesOf(id), []);
});

test('what fails on our side before a word is said is tried again, and is not uncertain', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.com'));
  let isAway = true;
  const tenant: Worker['db']['tenant'] = async (customers, work) => {
    if (!isAway) return worker.db.tenant(customers, work);
    isAway = false;
    throw awayError();
  };
  const engine = createTestEngine({ ...worker, db: { ...worker.db, tenant } }, createPeer(willing).find);
  await engine.turn();
  await engine.settled();
  clock.advance(2 * MINUTE);
  await engine.turn();
  await engine.settled();
  assert.deepEqual(await outcomesOf(id), ['deferred', 'delivered']);
});

test('four batches are read at a time, and the next is taken when one of them is', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const read = Promise.withResolvers<void>();
  const call: Worker['db']['call'] = async (query) => {
    if (query.name === 'read-leased') await read.promise;
    return worker.db.call(query);
  };
  const engine = createTestEngine({ ...worker, db: { ...worker.db, call } }, createPeer(willing).find);
  const ids: string[] = [];
  let taken = 0;
  let last: Promise<void> = Promise.resolve();
  for (let batch = 0; batch < 5; batch += 1) {
    ids.push(await send(app, key, messageTo(`ann${batch}@example.com`)));
    last = engine.turn().then((count) => void (taken += count));
    if (batch < 4) await last;
  }
  assert.deepEqual(
    (await rowsOf(ids[4] as string)).map(({ attempts }) => attempts),
    [0],
  );
  assert.equal(taken, 4);
  read.resolve();
  await last;
  await engine.settled();
  assert.equal(taken, 5);
});

test('a lease that is given back does not bring an ended recipient to life', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.com'));
  const leases = await takeDue(worker);
  await asOwner(app, async (client) => {
    await client.query(`update message_recipients set state = 'delivered', due_at = null where message_id = $1`, [id]);
  });
  await releaseLeases(worker, leases, clock.now());
  assert.deepEqual(
    (await rowsOf(id)).map(({ state, due_at: dueAt }) => [state, dueAt]),
    [['delivered', null]],
  );
});

test('a lease that is given back twice leaves that of who has taken it since', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.com'));
  const leases = await takeDue(worker);
  await releaseLeases(worker, leases, clock.now());
  clock.advance(1);
  assert.equal((await takeDue(worker)).length, 1);
  await releaseLeases(worker, leases, clock.now());
  const [row] = await rowsOf(id);
  assert.deepEqual([row?.attempts, row?.due_at], [1, new Date(clock.now().getTime() + MINUTE)]);
  assert.deepEqual(await outcomesOf(id), [null]);
});

test('while one server is slow, who was put off by another waits no longer and no shorter for it', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const answered = Promise.withResolvers<void>();
  const [later, slow] = [createPeer(() => '451 4.3.0 later'), createPeer(willing)];
  const find: FindDestination = async (domain) => {
    if (domain === 'slow.example') await answered.promise;
    return (domain === 'slow.example' ? slow : later).find(domain);
  };
  const engine = createTestEngine(worker, find);
  const recipients = ['ann@later.example', 'bob@slow.example'];
  const id = await send(app, key, { ...messageTo(''), recipients });
  await engine.turn();
  while ((await rowsOf(id))[0]?.attempts !== 1 || (await isUnderWay(id))) await new Promise(setImmediate);
  const [put] = await rowsOf(id);
  clock.advance(MINUTE / 2);
  await engine.renew();
  const [after, held] = await rowsOf(id);
  assert.deepEqual(after?.due_at, put?.due_at);
  assert.equal(held?.due_at?.getTime(), clock.now().getTime() + MINUTE);
  answered.resolve();
  await engine.settled();
  assert.deepEqual(
    (await rowsOf(id)).map(({ state }) => state),
    ['queued', 'delivered'],
  );
});

/** Whether the first recipient's attempt has not ended. */
async function isUnderWay(id: string): Promise<boolean> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query('select outcome from delivery_attempts where message_id = $1 and ordinal = 0', [
      id,
    ]);
    return rows[0]?.outcome === null;
  });
}

test('what has not begun when the product stops is given back as it was', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const engine = createTestEngine(worker, createPeer(willing).find);
  const id = await send(app, key, messageTo('ann@example.com'));
  const turn = engine.turn();
  engine.halt();
  await turn;
  await engine.settled();
  const [row] = await rowsOf(id);
  assert.deepEqual([row?.state, row?.attempts], ['queued', 0]);
  assert.equal(await engine.turn(), 0, 'and nothing is taken any more');
});

test('where a process ended in the middle, the attempt is uncertain, and receipt and event say so', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  const id = await send(app, key, messageTo('ann@example.com'));
  await takeDue(worker);
  clock.advance(2 * MINUTE);
  const engine = createTestEngine(worker, createPeer(willing).find);
  await engine.turn();
  await engine.settled();
  const events = (await app.request('GET', '/v1/email/events', { key })).body.data as {
    event_name: string;
    payload: { uncertain?: true };
  }[];
  assert.deepEqual(
    events.map(({ event_name: name, payload }) => [name, payload.uncertain]),
    [
      ['api_mail_log_temporary_failure', true],
      ['api_mail_log_delivered', undefined],
    ],
  );
  const log = await app.request('GET', `/v1/email/message_log/${id}`, { key });
  const outcomes = log.body.data.recipients[0].attempts.map(({ outcome }: { outcome: string }) => outcome);
  assert.deepEqual(outcomes, ['uncertain', 'delivered']);
});

test('two that deliver at the same time never take the same recipient', async () => {
  await emptyQueue();
  const { key } = await app.createCustomer();
  for (let place = 0; place < 4; place += 1) {
    const messages = Array.from({ length: 50 }, (_, each) => messageTo(`p${place}-${each}@example.com`));
    const sent = await app.request('POST', '/v1/email/bulk_messages', { key, body: { data: { messages } } });
    assert.equal(sent.status, 200, sent.text);
  }
  const peers = [createPeer(willing), createPeer(willing)];
  const work = async ({ find }: (typeof peers)[number]) => {
    const engine = createTestEngine(worker, find);
    while ((await engine.turn()) > 0) await engine.settled();
  };
  await Promise.all(peers.map(work));
  const asked = peers.flatMap((peer) => peer.asked);
  assert.equal(asked.length, 200);
  assert.equal(new Set(asked).size, 200);
});
