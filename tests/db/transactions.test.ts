import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Database, openDatabase, type Tx } from '../../src/platform/db/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { createTestDatabase } from '../support/database.ts';

type Hold = (lock: number) => Promise<unknown>;
type Transact = (db: Database, work: (hold: Hold) => Promise<void>) => Promise<void>;

const holdIn = (tx: Tx) => (lock: number) => sql`select pg_advisory_xact_lock(${lock})`.execute(tx);

const WAYS: Record<string, Transact> = {
  tenant: (db, work) => db.tenant([1], (tx) => work(holdIn(tx))),
  untenanted: (db, work) => db.untenanted((tx) => work(holdIn(tx))),
  raw: (db, work) => db.raw([1], (client) => work((lock) => client.query('select pg_advisory_xact_lock($1)', [lock]))),
};

function askForConnection(tx: Tx) {
  return sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
}

for (const [name, transact] of Object.entries(WAYS)) {
  test(`of two transactions that wait for each other both get done (${name})`, async (t) => {
    const { url, drop } = await createTestDatabase();
    const db = openDatabase({ ownerUrl: url, log: createLog('silent') }, 'app', 2);
    t.after(async () => {
      await db.close();
      await drop();
    });
    let [begun, holding] = [0, 0];
    const met = Promise.withResolvers<void>();
    const cross = (first: number, second: number) =>
      transact(db, async (hold) => {
        begun += 1;
        await hold(first);
        holding += 1;
        if (holding === 2) met.resolve();
        await met.promise;
        await hold(second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    assert.equal(begun, 3, 'one of them began again');
  });
}

test('work that fails by itself is done once', async (t) => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ ownerUrl: url, log: createLog('silent') }, 'app', 1);
  t.after(async () => {
    await db.close();
    await drop();
  });
  let begun = 0;
  const failing = db.tenant([1], async (tx) => {
    begun += 1;
    await sql`select nonsense`.execute(tx);
  });
  await assert.rejects(failing, { code: '42703' });
  assert.equal(begun, 1);
});

test('a statement that is not answered in time is given up at once, and nobody stands in its transaction', async (t) => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ ownerUrl: url, log: createLog('silent') }, 'app', 1);
  t.after(async () => {
    await db.close();
    await drop();
  });
  // From the first connection on: what a pool waits for by the real clock cannot be taken back under another.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { rows: before } = await db.tenant([1], askForConnection);
  const asked = Promise.withResolvers<void>();
  const unanswered = db.tenant([1], async (tx) => {
    const sleeping = sql`select pg_sleep(60)`.execute(tx);
    asked.resolve();
    await sleeping;
  });
  const failures: Error[] = [];
  unanswered.catch((error: Error) => failures.push(error));
  await asked.promise;
  t.mock.timers.tick(12_000);
  t.mock.timers.reset();
  for (let turn = 0; turn < 1_000 && failures.length === 0; turn += 1) await new Promise(setImmediate);
  assert.deepEqual(
    failures.map(({ message }) => message),
    ['Query read timeout'],
  );
  const { rows: after } = await db.tenant([1], askForConnection);
  assert.notEqual(after[0]?.pid, before[0]?.pid);
});
