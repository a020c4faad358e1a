import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createSealer, INSTALLATION, loadSigningKey, recordAct, verifyAudit } from '../../src/accounts/index.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { concludeRestore } from '../../src/operations/restore/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';

const HOUR = 3600_000;
const TABLES = [
  'audit_log',
  'audit_chain',
  'audit_heads',
  'audit_signed_heads',
  'audit_checkpoints',
  'audit_watermark',
];

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

test('what a restore did not bring back is no tampering, and nothing that was signed before it is forgotten', async (t) => {
  const clock = createMovableClock();
  const app = await startApp(t, { clock });
  const { installation } = app;
  const { db, config } = installation;
  const { id: customer } = await app.createCustomer();
  const sealerDb = openDatabase(installation, 'sealer', 2);
  t.after(() => sealerDb.close());
  const signingKey = await loadSigningKey(installation);
  const file = checkpointFileOf(config.dataDir);
  const sealer = createSealer({ db: sealerDb, signingKey, checkpointFile: file, clock, metrics: createMetrics() });
  const query = (text: string, values: unknown[] = []) =>
    asOwner(app, async (client) => (await client.query(text, values)).rows);
  const sign = async () => {
    await db.tenant([customer], (tx) => recordAct(tx, clock, app.act(customer, 'test.done'), {}));
    await eventually(async () => {
      await sealer.seal();
      const [open] = await query(
        'select count(*)::int as n from audit_log where xact >= (select sealed_below from audit_watermark)',
      );
      return open.n === 0 ? true : null;
    });
    await sealer.checkpoint();
  };
  const faults = async () => (await verifyAudit({ db: sealerDb, signingKey, checkpointFile: file })).faults;
  const keep = (name: string) =>
    query(TABLES.map((table) => `create table ${name}_${table} as table ${table}`).join(';'));
  const putBack = (name: string) =>
    query(TABLES.map((table) => `delete from ${table}; insert into ${table} table ${name}_${table}`).join(';'));
  for (const table of TABLES) await query(`alter table ${table} disable trigger user`);

  await keep('earliest');
  await sign();
  await keep('earlier');
  clock.advance(HOUR);
  const restoredTo = clock.now();
  clock.advance(HOUR);
  await sign();
  const [before = '', lost = ''] = linesOf(file);
  const whole = readFileSync(file);

  await putBack('earlier');
  assert.match((await faults())[0]?.reason ?? '', /the end was cut off/);
  assert.equal(await concludeRestore(installation), null);
  assert.notDeepEqual(await faults(), [], 'a database that is put back by somebody else is no restore');

  const mark = {
    started_at: clock.now().toISOString(),
    run: null,
    timeline: 0,
    restored_to: restoredTo.toISOString(),
    ok: true,
    bytes: 0,
    lsn: '0/0',
  };
  const conclude = async () => {
    writeFileSync(join(config.dataDir, 'restored.json'), JSON.stringify(mark));
    assert.equal(await concludeRestore(installation), null);
    assert.ok(!existsSync(join(config.dataDir, 'restored.json')));
  };
  await conclude();
  assert.deepEqual(await faults(), []);
  assert.deepEqual(linesOf(file), [before]);
  const [aside = ''] = readdirSync(dirname(file)).filter((name) => name !== 'checkpoints.log');
  assert.deepEqual(linesOf(join(dirname(file), aside)), [before, lost], 'nothing of it is gone');
  assert.deepEqual(
    await query(`select target, details from audit_log where customer_id = $1 and action = 'audit.rows-lost'`, [
      INSTALLATION,
    ]),
    [
      {
        target: aside,
        details: {
          checkpoints: 1,
          restored_to: restoredTo.toISOString(),
          sha256: createHash('sha256').update(whole).digest('hex'),
        },
      },
    ],
  );
  await sign();
  assert.deepEqual(await faults(), [], 'the chains go on from there');

  // Whoever has the database takes away what was there at the moment of the restore, and a restore is concluded beside it.
  await putBack('earliest');
  clock.advance(1);
  await conclude();
  assert.match((await faults())[0]?.reason ?? '', /the end was cut off/);
  assert.equal(linesOf(file)[0], before);
});
