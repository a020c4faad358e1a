import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createStsPolicies } from '../../src/email/delivery/tls/sts-policies.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { DialFailed } from '../../src/platform/net/dial-failed.ts';
import type { Dns } from '../../src/platform/net/dns/dns.ts';
import { DnsFailed } from '../../src/platform/net/dns/dns-failed.ts';
import { createMovableClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DOMAIN = 'clinic.example';
const lines: string[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(line) });

function policyText(mode: string, maxAge: number): string {
  return `version: STSv1\r\nmode: ${mode}\r\nmx: mx.${DOMAIN}\r\nmax_age: ${maxAge}\r\n`;
}

/** A domain whose record and policy can be changed, and processes that share a database. */
async function startWorld(t: TestContext) {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ ownerUrl: url, log }, 'worker', 2);
  t.after(async () => {
    await db.close();
    await drop();
  });
  const clock = createMovableClock();
  const world = {
    records: ['v=STSv1; id=one;'] as string[] | 'fails',
    text: policyText('enforce', 7 * 86_400),
    lookups: 0,
    fetched: [] as string[],
  };
  const dns = {
    async txt(name: string) {
      assert.equal(name, `_mta-sts.${DOMAIN}`);
      world.lookups += 1;
      if (world.records === 'fails') throw new DnsFailed('timeout');
      return { records: world.records, authentic: false, exists: true };
    },
  } as unknown as Dns;
  const fetchText = async (from: string) => {
    world.fetched.push(from);
    if (world.text === 'fails') throw new DialFailed('unreachable');
    return world.text;
  };
  const startProcess = (its: Database = db) => createStsPolicies({ db: its, dns, fetchText, clock, log });
  const policies = startProcess();
  const mode = async (of = policies) => (await of.of(DOMAIN))?.mode ?? null;
  return { world, clock, policies, startProcess, mode, db };
}

test('a policy is found, fetched once and given to everybody who asks', async (t) => {
  const { world, policies } = await startWorld(t);
  const found = await Promise.all([policies.of(DOMAIN), policies.of(DOMAIN)]);
  for (const each of [...found, await policies.of(DOMAIN)]) {
    assert.deepEqual([each?.id, each?.mode, each?.mx, each?.maxAge], ['one', 'enforce', [`mx.${DOMAIN}`], 7 * 86_400]);
  }
  assert.deepEqual(world.fetched, [`https://mta-sts.${DOMAIN}/.well-known/mta-sts.txt`]);
  assert.equal(world.lookups, 1);
});

test('a domain without a record has no policy, and is not asked for one', async (t) => {
  const { world, clock, mode } = await startWorld(t);
  world.records = ['v=spf1 -all'];
  assert.equal(await mode(), null);
  clock.advance(5 * MINUTE - 1);
  assert.equal(await mode(), null);
  assert.deepEqual([world.lookups, world.fetched.length], [1, 0]);
  clock.advance(1);
  world.records = ['v=STSv1; id=one'];
  assert.equal(await mode(), 'enforce');
});

test('the record is looked at every five minutes, and a new id fetches a new policy', async (t) => {
  const { world, clock, mode, policies } = await startWorld(t);
  assert.equal(await mode(), 'enforce');
  world.text = policyText('testing', 86_400);
  clock.advance(5 * MINUTE);
  assert.equal(await mode(), 'enforce');
  assert.deepEqual([world.lookups, world.fetched.length], [2, 1]);
  world.records = ['v=STSv1; id=two'];
  clock.advance(5 * MINUTE - 1);
  assert.equal(await mode(), 'enforce');
  clock.advance(1);
  assert.deepEqual([(await policies.of(DOMAIN))?.id, await mode()], ['two', 'testing']);
});

for (const failure of ['a lookup that fails', 'a record that is gone', 'a fetch that fails', 'a file that is none']) {
  test(`${failure} keeps the policy to the end of its time, and not beyond`, async (t) => {
    const { world, clock, mode, startProcess } = await startWorld(t);
    assert.equal(await mode(), 'enforce');
    if (failure === 'a lookup that fails') world.records = 'fails';
    else if (failure === 'a record that is gone') world.records = [];
    else world.records = ['v=STSv1; id=two'];
    world.text = failure === 'a fetch that fails' ? 'fails' : 'nothing to be read';
    clock.advance(7 * DAY - 1);
    assert.equal(await mode(), 'enforce');
    assert.equal(await mode(startProcess()), 'enforce');
    clock.advance(1);
    assert.equal(await mode(), null);
    assert.equal(await mode(startProcess()), null);
  });
}

test('a failed fetch is tried again after five minutes', async (t) => {
  const { world, clock, mode } = await startWorld(t);
  world.text = 'fails';
  assert.equal(await mode(), null);
  world.text = policyText('enforce', 86_400);
  clock.advance(5 * MINUTE - 1);
  assert.equal(await mode(), null);
  assert.equal(world.fetched.length, 1);
  clock.advance(1);
  assert.equal(await mode(), 'enforce');
});

test('a policy under the same id is fetched anew once a day, so that it does not run out', async (t) => {
  const { world, clock, mode } = await startWorld(t);
  for (let days = 0; days < 20; days += 1) {
    assert.equal(await mode(), 'enforce', `day ${days}`);
    clock.advance(DAY);
  }
  assert.equal(world.fetched.length, 20);
});

test('another process, or the next, knows what the first has found', async (t) => {
  const { world, clock, mode, startProcess } = await startWorld(t);
  await mode();
  world.records = 'fails';
  world.text = 'fails';
  assert.equal(await mode(startProcess()), 'enforce');
  assert.equal(world.lookups, 1);
  clock.advance(DAY);
  assert.equal(await mode(startProcess()), 'enforce');
});

test('where the database cannot be read nobody says that there is no policy', async (t) => {
  const { startProcess, db, world } = await startWorld(t);
  const broken = { ...db, untenanted: () => Promise.reject(new Error('Connection terminated')) };
  await assert.rejects(startProcess(broken).of(DOMAIN), /Connection terminated/);
  assert.equal(world.lookups, 0);
});

test('the log says that a policy was not to be had, and of whom is not its business', () => {
  assert.ok(lines.some((line) => line.includes('could not be fetched')));
  assert.deepEqual(
    lines.filter((line) => line.includes('clinic')),
    [],
  );
});
