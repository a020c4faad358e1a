import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { allowanceOn, createWarmUp } from '../../src/email/domains/warm-up.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';

const HOUR = 3600_000;
const clock = createMovableClock(new Date('2026-11-01T22:00:00Z'));
let app: TestApp;
let db: Database;
before(async (t) => {
  app = await startApp(t as TestContext, { clock });
  const { ownerUrl, log } = app.installation;
  db = openDatabase({ ownerUrl, log }, 'worker', 4);
  (t as TestContext).after(() => db.close());
});

async function newDomain(domain = 'new.example') {
  const { id, key } = await app.createCustomer();
  const { body } = await app.request('POST', '/v1/email/sending_domains', { key, body: { domain } });
  const { room, giveBack } = createWarmUp({ db, clock, random: () => 0 });
  return {
    take: (wanted: number, from = domain) => db.tenant([id], (tx) => room(tx, id, from, wanted)),
    giveBack: (count: number) => db.tenant([id], (tx) => giveBack(tx, id, domain, { at: clock.now(), count })),
    finish: () => app.request('PATCH', `/v1/email/sending_domains/${body.data.id}`, { key, body: { warm_up: false } }),
  };
}

test('a new domain sends 500 on its first day and twice as much on each of the next, by the days of UTC', async () => {
  const { take } = await newDomain();
  assert.deepEqual([await take(499), await take(5), await take(5)], [499, 1, 0]);
  clock.advance(2 * HOUR);
  assert.deepEqual([await take(300, 'mail.new.example'), await take(1_000), await take(1)], [300, 700, 0]);
  clock.advance(8 * 24 * HOUR);
  assert.deepEqual([await take(1e6), allowanceOn(10)], [256_000, 256_000]);
  clock.advance(24 * HOUR);
  assert.equal(await take(1e6), 1e6);
});

test('days without mail count as well, and warm-up can be ended', async () => {
  const { take, finish } = await newDomain();
  clock.advance(30 * 24 * HOUR);
  assert.equal(await take(1_000), 500, 'the first day is that of the first message');
  await finish();
  assert.equal(await take(1_000), 1_000);
});

test('many who take at once take no more than there is', async () => {
  const { take } = await newDomain();
  const taken = await Promise.all(Array.from({ length: 12 }, () => take(70)));
  assert.equal(
    taken.reduce((sum, each) => sum + each),
    500,
  );
});

test('what was taken and not sent can be taken again', async () => {
  const { take, giveBack } = await newDomain();
  await take(500);
  await giveBack(3);
  assert.deepEqual([await take(5), await take(1)], [3, 0]);
});

test('a domain that nobody added is not held back', async () => {
  const { take } = await newDomain();
  assert.equal(await take(10_000, 'other.example'), 10_000);
});
