import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readTlsReport } from '../../src/email/bounces/tls-reports/read.ts';
import { createSigner } from '../../src/email/delivery/writing/sign.ts';
import { sendTlsReports } from '../../src/email/tls-reports/send.ts';
import { createTlsTally, type TlsSession } from '../../src/email/tls-reports/tally.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import type { DialRequest } from '../../src/platform/net/dial.ts';
import { DialFailed, type DialFailure } from '../../src/platform/net/dial-failed.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';

const HOUR = 3600_000;
const NOON = new Date('2026-03-01T12:00:00Z');
const RECORD = 'v=TLSRPTv1; rua=https://reports.example.com/in,mailto:reports@example.com';

function session(more: Partial<TlsSession> = {}): TlsSession {
  return {
    domain: 'example.com',
    policy: { type: 'sts', text: ['version: STSv1'], mxPatterns: ['*.example.com'] },
    mxHost: 'mx.example.com',
    mxAddress: '192.0.2.1',
    result: 'success',
    ...more,
  };
}

/** Domains that ask for reports, and whoever takes them. */
async function begin(t: TestContext, random: () => number = () => 0) {
  const clock = createMovableClock(NOON);
  const { installation } = await startApp(t, { clock });
  const db = openDatabase(installation, 'worker', 4);
  t.after(() => db.close());
  const world = {
    records: new Map([['_smtp._tls.example.com', [RECORD]]]),
    status: 201,
    result: 'delivered' as 'delivered' | 'deferred' | 'refused' | 'uncertain' | 'late',
    onMail: async () => {},
    mailMs: 60_000,
    failure: 'unreachable' as DialFailure,
    posts: [] as DialRequest[],
    mails: [] as { returnPath: string; recipient: string; data: Buffer }[],
  };
  const deps = {
    db,
    clock,
    dns: {
      async txt(name: string) {
        const records = world.records.get(name);
        if (records === undefined) throw new Error('no answer');
        return { records };
      },
    },
    async dial(request: DialRequest) {
      if (world.status === 0) throw new DialFailed(world.failure);
      world.posts.push(request);
      return { status: world.status, retryAfter: null };
    },
    async handOver(mail: { returnPath: string; recipient: string; data: Buffer }) {
      world.mails.push(mail);
      await world.onMail();
      const { result } = world;
      if (result === 'late') return Promise.withResolvers<never>().promise;
      return { result, code: null, reply: null, startedAt: clock.now(), finishedAt: clock.now(), met: null };
    },
    signerFor: async () => createSigner(),
    systemFrom: 'no-reply@clinic.example',
    get mailMs() {
      return world.mailMs;
    },
    random,
  };
  const rows = (text: string) =>
    withConnection(installation.ownerUrl, async (client) => (await client.query(text)).rows);
  return {
    clock,
    db,
    world,
    tally: createTlsTally({ db, clock }),
    send: () => sendTlsReports(deps),
    counts: () => rows('select day::text, domain, result, sessions from tls_report_counts order by 1, 2, 3'),
    query: rows,
    sent: () =>
      rows('select day::text, domain, state, attempts, taken_by, maybe_by from tls_reports_sent order by 1, 2'),
  };
}

test('sessions are added up by day and domain, and what cannot be written waits for the next time', async (t) => {
  const { clock, db, tally, counts } = await begin(t);
  for (let each = 0; each < 3; each += 1) tally.note(session());
  tally.note(session({ result: 'certificate-expired' }));
  await tally.settle();
  clock.advance(13 * HOUR);
  tally.note(session());
  let away = true;
  const shaky: Database = {
    ...db,
    untenanted: (work) => (away ? Promise.reject(new Error('the database is away')) : db.untenanted(work)),
  };
  const later = createTlsTally({ db: shaky, clock });
  later.note(session());
  await assert.rejects(later.settle(), { message: 'the database is away' });
  later.note(session());
  away = false;
  await Promise.all([tally.settle(), later.settle()]);
  await later.settle();
  assert.deepEqual(await counts(), [
    { day: '2026-03-01', domain: 'example.com', result: 'certificate-expired', sessions: 1 },
    { day: '2026-03-01', domain: 'example.com', result: 'success', sessions: 3 },
    { day: '2026-03-02', domain: 'example.com', result: 'success', sessions: 3 },
  ]);
});

test('the day after, each domain that asks for it gets one report, however many nodes look', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  world.records.set('_smtp._tls.example.net', []);
  tally.note(session());
  tally.note(session({ result: 'starttls-not-supported', mxHost: null, mxAddress: null }));
  tally.note(session({ domain: 'example.net' }));
  await tally.settle();
  await send();
  assert.deepEqual(await sent(), [], 'the day is not over');
  clock.advance(12 * HOUR + 4 * 60_000);
  await send();
  assert.deepEqual([world.posts, world.mails], [[], []], 'its last counts may still come');
  clock.advance(60_000);
  await Promise.all([send(), send(), send()]);
  await send();
  assert.deepEqual(await sent(), [
    {
      day: '2026-03-01',
      domain: 'example.com',
      state: 'sent',
      attempts: 1,
      taken_by: ['https://reports.example.com/in', 'mailto:reports@example.com'],
      maybe_by: [],
    },
    { day: '2026-03-01', domain: 'example.net', state: 'not-wanted', attempts: 1, taken_by: [], maybe_by: [] },
  ]);
  assert.deepEqual([world.posts.length, world.mails.length], [1, 1]);
  const [post] = world.posts as [DialRequest];
  assert.equal(post.url, 'https://reports.example.com/in');
  assert.equal(post.headers['content-type'], 'application/tlsrpt+gzip');
  const report = readTlsReport(gunzipSync(post.body).toString());
  assert.equal(report.organization, 'clinic.example');
  assert.deepEqual(report.policies, [
    {
      type: 'sts',
      domain: 'example.com',
      successful: 1,
      failed: 1,
      failures: [{ type: 'starttls-not-supported', sessions: 1 }],
    },
  ]);
  assert.equal(world.mails[0]?.recipient, 'reports@example.com');
  assert.ok(world.mails[0]?.data.includes(report.reportId));
});

test('reports are spread over the first hours of the day', async (t) => {
  const { clock, world, tally, send } = await begin(t, () => 0.5);
  tally.note(session());
  await tally.settle();
  clock.advance(14 * HOUR);
  await send();
  assert.equal(world.posts.length, 0);
  clock.advance(5 * 60_000);
  await send();
  assert.equal(world.posts.length, 1);
});

test('what is not taken is tried again for a day, and only with those who do not have it', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  tally.note(session());
  await tally.settle();
  clock.advance(12 * HOUR + 5 * 60_000);
  world.result = 'deferred';
  await send();
  const [first] = await sent();
  assert.deepEqual([first.state, first.taken_by], ['waiting', ['https://reports.example.com/in']]);
  clock.advance(9 * 60_000);
  await send();
  assert.equal(world.mails.length, 1, 'not before its time');
  clock.advance(60_000);
  await send();
  assert.deepEqual([world.posts.length, world.mails.length], [1, 2]);
  world.result = 'uncertain';
  clock.advance(20 * 60_000);
  await send();
  const [last] = await sent();
  assert.deepEqual([last.state, last.attempts, last.taken_by.length], ['sent', 3, 2]);
});

for (const [what, change, taken] of [
  ['a domain whose record cannot be asked for', { records: new Map() }, 'given-up'],
  ['a domain that takes nothing', { status: 0, result: 'refused' }, 'given-up'],
  ['a receiver that answers 500', { status: 500, result: 'deferred' }, 'given-up'],
  ['a domain of which one address takes it', { status: 500, result: 'delivered' }, 'sent'],
] as const) {
  test(`${what} is given up after a day`, async (t) => {
    const { clock, world, tally, send, sent } = await begin(t);
    tally.note(session());
    await tally.settle();
    Object.assign(world, change);
    clock.advance(12 * HOUR + 5 * 60_000);
    await send();
    clock.advance(24 * HOUR - 1);
    await send();
    assert.equal((await sent())[0].state, 'waiting');
    clock.advance(4 * HOUR);
    await send();
    assert.equal((await sent())[0].state, taken);
    clock.advance(4 * HOUR);
    await send();
    assert.equal((await sent())[0].attempts, 3, 'and stays so');
  });
}

test('a node that died over a report leaves it to the next one', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  tally.note(session());
  await tally.settle();
  clock.advance(12 * HOUR + 5 * 60_000);
  const broken = new Error('died');
  Object.defineProperty(world, 'status', {
    configurable: true,
    get() {
      throw broken;
    },
  });
  await assert.rejects(send(), broken);
  Object.defineProperty(world, 'status', { value: 200 });
  clock.advance(10 * 60_000 - 1);
  await send();
  assert.equal(world.posts.length, 0, 'it is still taken');
  clock.advance(1);
  await send();
  const [report] = await sent();
  assert.deepEqual([report.state, report.attempts], ['sent', 2]);
});

test('a target that is too slow is left alone: it may have the report', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  tally.note(session());
  await tally.settle();
  clock.advance(12 * HOUR + 5 * 60_000);
  Object.assign(world, { status: 500, result: 'late', mailMs: 20 });
  await send();
  const [first] = await sent();
  assert.deepEqual([first.state, first.taken_by, first.maybe_by], ['waiting', [], ['mailto:reports@example.com']]);
  Object.assign(world, { status: 0, failure: 'timeout', result: 'delivered' });
  clock.advance(HOUR);
  await send();
  const [second] = await sent();
  assert.deepEqual([second.state, second.taken_by.length, second.maybe_by.length], ['given-up', 0, 2]);
  assert.equal(world.mails.length, 1);
});

test('who has the report is written down at once, also by a node that has lost its lease', async (t) => {
  const { clock, world, tally, send, sent, query } = await begin(t);
  tally.note(session());
  await tally.settle();
  clock.advance(12 * HOUR + 5 * 60_000);
  let before: string[] = [];
  world.onMail = async () => {
    before = (await sent())[0].taken_by;
    await query('update tls_reports_sent set attempts = attempts + 1');
  };
  await send();
  assert.deepEqual(before, ['https://reports.example.com/in']);
  const [row] = await sent();
  assert.deepEqual([row.state, row.taken_by.length], ['waiting', 2], 'and no more than that');
});

test('a report that is a day late is given up before it is sent once more', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  tally.note(session());
  await tally.settle();
  clock.advance(12 * HOUR + 5 * 60_000);
  Object.assign(world, { status: 500, result: 'deferred' });
  await send();
  Object.assign(world, { status: 201, result: 'delivered' });
  clock.advance(24 * HOUR);
  await send();
  assert.equal((await sent())[0].state, 'given-up');
  assert.deepEqual([world.posts.length, world.mails.length], [1, 1]);
});

test('a run that has taken five minutes leaves the rest to the next one', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  for (let each = 0; each < 21; each += 1) {
    tally.note(session({ domain: `d${each}.example` }));
    world.records.set(`_smtp._tls.d${each}.example`, ['v=TLSRPTv1; rua=mailto:reports@example.com']);
  }
  await tally.settle();
  clock.advance(12 * HOUR + 5 * 60_000);
  world.onMail = async () => clock.advance(15_000);
  await send();
  assert.equal((await sent()).filter(({ state }) => state === 'waiting').length, 1);
  await send();
  assert.equal((await sent()).filter(({ state }) => state === 'waiting').length, 0);
});

test('days on which nobody reported are made up for, up to seven of them', async (t) => {
  const { clock, world, tally, send, sent } = await begin(t);
  for (let day = 1; day <= 3; day += 1) {
    tally.note(session());
    await tally.settle();
    clock.advance(24 * HOUR);
  }
  clock.advance(5 * 24 * HOUR);
  await send();
  assert.deepEqual(
    (await sent()).map(({ day, state }) => `${day} ${state}`),
    ['2026-03-02 sent', '2026-03-03 sent'],
  );
  assert.equal(world.mails.length, 2);
});

test('counts are kept for a month, and what was sent for good', async (t) => {
  const { clock, tally, send, sent, counts } = await begin(t);
  tally.note(session());
  await tally.settle();
  clock.advance(30 * 24 * HOUR);
  await send();
  assert.equal((await counts()).length, 1);
  clock.advance(24 * HOUR);
  await send();
  assert.equal((await counts()).length, 0);
  assert.deepEqual(await sent(), [], 'a day that nobody reported at the time is not reported late');
});
