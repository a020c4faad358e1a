import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTlsMemory } from '../../src/email/delivery/tls/tls-memory.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMovableClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DOMAIN = 'clinic.example';

async function startWorld(t: TestContext) {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ ownerUrl: url, log: createLog('silent') }, 'worker', 2);
  t.after(async () => {
    await db.close();
    await drop();
  });
  const clock = createMovableClock();
  const startProcess = () => createTlsMemory({ db, clock });
  const seenAt = () =>
    withConnection(
      url,
      async (client) => (await client.query('select seen_at from tls_memory')).rows[0]?.seen_at as Date,
    );
  return { clock, startProcess, memory: startProcess(), seenAt, db };
}

test('what a domain has shown once is demanded for thirty days, by every process', async (t) => {
  const { clock, startProcess, memory } = await startWorld(t);
  assert.equal(await memory.demandsVerified(DOMAIN), false);
  await memory.remember(DOMAIN);
  assert.equal(await memory.demandsVerified(DOMAIN), true);
  assert.equal(await memory.demandsVerified('other.example'), false);
  clock.advance(30 * DAY - 1);
  assert.equal(await startProcess().demandsVerified(DOMAIN), true);
  clock.advance(1);
  assert.equal(await startProcess().demandsVerified(DOMAIN), false);
  assert.equal(await memory.demandsVerified(DOMAIN), false);
});

test('a sight is written down once an hour, and the thirty days count from the last', async (t) => {
  const { clock, startProcess, memory, seenAt } = await startWorld(t);
  const first = clock.now();
  await memory.remember(DOMAIN);
  clock.advance(60 * MINUTE - 1);
  await memory.remember(DOMAIN);
  assert.deepEqual(await seenAt(), first);
  clock.advance(1);
  await memory.remember(DOMAIN);
  assert.deepEqual(await seenAt(), clock.now());
  clock.advance(30 * DAY - 1);
  assert.equal(await startProcess().demandsVerified(DOMAIN), true);
});

test('a process learns within a minute what another one has seen', async (t) => {
  const { clock, startProcess, memory } = await startWorld(t);
  assert.equal(await memory.demandsVerified(DOMAIN), false);
  await startProcess().remember(DOMAIN);
  clock.advance(MINUTE - 1);
  assert.equal(await memory.demandsVerified(DOMAIN), false);
  clock.advance(1);
  assert.equal(await memory.demandsVerified(DOMAIN), true);
});

test('where the database cannot be read nobody says that less will do', async (t) => {
  const { db, clock } = await startWorld(t);
  const broken = { ...db, untenanted: () => Promise.reject(new Error('Connection terminated')) };
  await assert.rejects(createTlsMemory({ db: broken, clock }).demandsVerified(DOMAIN), /Connection terminated/);
});
