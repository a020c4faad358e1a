import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  askForVerification,
  createSealer,
  INSTALLATION,
  loadSigningKey,
  readVerification,
  recordAct,
  verifyAudit,
} from '../../src/accounts/index.ts';
import { auditRestored, auditVerify } from '../../src/cli/commands/audit.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { concludeRestore } from '../../src/operations/restore/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { startApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TABLES = [
  'audit_log',
  'audit_chain',
  'audit_heads',
  'audit_signed_heads',
  'audit_checkpoints',
  'audit_watermark',
];
const CUT_OFF = /the end was cut off/;

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const asideIn = (file: string) => readdirSync(dirname(file)).filter((name) => name !== 'checkpoints.log');

/** An installation whose audit log can be put back to how it was, as a restore of its database does. */
async function openLog(t: TestContext, clock = createMovableClock()) {
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
  for (const table of [...TABLES, 'audit_restores']) await query(`alter table ${table} disable trigger user`);
  return {
    app,
    clock,
    customer,
    file,
    query,
    sign: async () => {
      await db.tenant([customer], (tx) => recordAct(tx, clock, app.act(customer, 'test.done'), {}));
      await eventually(async () => {
        await sealer.seal();
        const [open] = await query(
          'select count(*)::int as n from audit_log where xact >= (select sealed_below from audit_watermark)',
        );
        return open.n === 0 ? true : null;
      });
      await sealer.checkpoint();
    },
    faults: async () => (await verifyAudit({ db: sealerDb, signingKey, checkpointFile: file })).faults,
    keep: (name: string) => query(TABLES.map((table) => `create table ${name}_${table} as table ${table}`).join(';')),
    putBack: (name: string) =>
      query(TABLES.map((table) => `delete from ${table}; insert into ${table} table ${name}_${table}`).join(';')),
    /** Leaves the word that the documented command leaves, and begins to work on the database as any command does. */
    conclude: async (restoredTo: Date) => {
      const mark = {
        started_at: clock.now().toISOString(),
        run: null,
        timeline: 0,
        restored_to: restoredTo.toISOString(),
        ok: true,
        bytes: 0,
        lsn: '0/0',
      };
      writeFileSync(join(config.dataDir, 'restored.json'), JSON.stringify(mark));
      assert.equal(await concludeRestore(installation), null);
      assert.ok(!existsSync(join(config.dataDir, 'restored.json')));
    },
    /** Another node, with a copy of this one's file of checkpoints as it stands. */
    anotherNode: () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'carepost-node-'));
      t.after(() => rmSync(dataDir, { recursive: true, force: true }));
      const own = checkpointFileOf(dataDir);
      mkdirSync(dirname(own), { recursive: true });
      copyFileSync(file, own);
      const there = { ...config, dataDir };
      return {
        dataDir,
        file: own,
        verify: async () => {
          const { json, text, failed } =
            (await auditVerify.run({ config: there, options: {}, flags: new Set(), given: '' })) ?? {};
          return { ...(json as { set_aside: object[]; faults: { reason: string }[] }), text: text ?? '', failed };
        },
      };
    },
  };
}

test('what a restore did not bring back is no tampering, and nothing that was signed before it is forgotten', async (t) => {
  const { app, clock, file, query, sign, faults, keep, putBack, conclude } = await openLog(t);
  await keep('earliest');
  await sign();
  await keep('earlier');
  clock.advance(HOUR);
  const restoredTo = clock.now();
  clock.advance(HOUR);
  await sign();
  const [before = '', lost = ''] = linesOf(file);
  const whole = readFileSync(file);
  clock.advance(MINUTE);

  await putBack('earlier');
  assert.match((await faults())[0]?.reason ?? '', CUT_OFF);
  assert.equal(await concludeRestore(app.installation), null);
  assert.notDeepEqual(await faults(), [], 'a database that is put back by somebody else is no restore');

  await conclude(restoredTo);
  assert.deepEqual(await faults(), []);
  const [first, anew, ...more] = linesOf(file);
  assert.deepEqual([first, more], [before, []]);
  assert.match(anew ?? '', new RegExp(`"at":"${clock.now().toISOString()}"`), 'what came back is signed anew');
  const [aside = ''] = asideIn(file);
  assert.deepEqual(linesOf(join(dirname(file), aside)).slice(0, 2), [before, lost], 'nothing of it is gone');
  assert.ok(
    readFileSync(join(dirname(file), aside))
      .subarray(0, whole.length)
      .equals(whole),
  );
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
          sha256: createHash('sha256')
            .update(readFileSync(join(dirname(file), aside)))
            .digest('hex'),
          host: hostname(),
        },
      },
    ],
  );
  await sign();
  assert.deepEqual(await faults(), [], 'the chains go on from there');

  // Whoever has the database takes away what was there at the moment of the restore, and a restore is concluded beside it.
  await putBack('earliest');
  clock.advance(1);
  await conclude(restoredTo);
  assert.match((await faults())[0]?.reason ?? '', CUT_OFF);
  assert.equal(linesOf(file)[0], before);
});

test('every other worker learns of a restore from its signed record, and sets its own file aside', async (t) => {
  const { app, clock, customer, sign, keep, putBack, conclude, anotherNode, file, query } = await openLog(t);
  await sign();
  await keep('earlier');
  clock.advance(HOUR);
  const restoredTo = clock.now();
  clock.advance(HOUR);
  await sign();
  const lost = linesOf(file);
  const [beside, worker, late] = [anotherNode(), anotherNode(), anotherNode()];
  clock.advance(MINUTE);
  await putBack('earlier');
  await sign(); // before anybody has concluded the restore
  const early = linesOf(file).at(-1) as string;
  writeFileSync(late.file, `${[...lost, early].join('\n')}\n`);
  clock.advance(MINUTE);
  assert.equal((await beside.verify()).failed, true);
  await conclude(restoredTo);

  const report = await beside.verify();
  assert.deepEqual([report.faults, report.failed], [[], false]);
  assert.match(report.text, /the database was restored to .+: 1 checkpoints of rows that it lost are set aside in /);
  assert.deepEqual(linesOf(beside.file), lost.slice(0, 1));
  const [aside = ''] = asideIn(beside.file);
  assert.deepEqual(linesOf(join(dirname(beside.file), aside)), lost);
  assert.deepEqual((await beside.verify()).set_aside, [], 'once');

  const node = await startApp(t, {
    beside: app,
    clock,
    env: {
      CAREPOST_DATA_DIR: worker.dataDir,
      CAREPOST_ROLES: 'worker',
      CAREPOST_MASTER_KEY_FILE: app.installation.config.masterKeyFile,
    },
  });
  const { db } = app.installation;
  await db.tenant([customer], (tx) => askForVerification(tx, clock, app.act(customer, 'audit-log.verified')));
  const verified = await eventually(async () => {
    const found = await db.tenant([customer], (tx) => readVerification(tx, customer));
    return found === null || found.finishedAt === null ? null : found;
  });
  assert.equal(verified.fault, null);
  assert.equal(asideIn(worker.file).length, 1);
  assert.match(node.logged(), /"level":"warn".*the database was restored to .+ are set aside in /);
  await node.stop();

  // What was there when the restore was recorded is taken away with all that the database has of it, before a node that was away comes back.
  const own = `customer_id = ${customer}`;
  await query(`
    delete from audit_checkpoints where number > 1;
    delete from audit_log where id in (select audit_id from audit_chain where ${own} and seq >= (select max(seq) from earlier_audit_chain where ${own}) + 1);
    delete from audit_chain where ${own} and seq > (select max(seq) from earlier_audit_chain where ${own});
    update audit_heads h set seq = e.seq, hash = e.hash from earlier_audit_heads e where h.${own} and e.${own}`);
  copyFileSync(file, late.file);
  const tampered = await late.verify();
  assert.ok(
    tampered.faults.some(({ reason }) => CUT_OFF.test(reason)),
    JSON.stringify(tampered.faults),
  );
});

test('a restore that nobody has signed excuses nothing, and is told of', async (t) => {
  const { clock, sign, keep, putBack, conclude, anotherNode, query } = await openLog(t);
  await sign();
  await keep('earlier');
  clock.advance(HOUR);
  await sign();
  clock.advance(HOUR);
  const node = anotherNode();
  const lines = linesOf(node.file);
  await conclude(new Date(clock.now().getTime() - MINUTE)); // nothing is lost with this one
  await putBack('earlier');
  const refused = async (what: string) => {
    const { faults, failed } = await node.verify();
    const reasons = faults.map(({ reason }) => reason);
    assert.ok(reasons.includes('a record of a restore has no valid signature'), `${what}: ${reasons.join()}`);
    assert.ok(failed && reasons.some((reason) => CUT_OFF.test(reason)), `${what}: ${reasons.join()}`);
    assert.deepEqual([linesOf(node.file), asideIn(node.file)], [lines, []], what);
  };
  const long = `'${new Date(clock.now().getTime() - 3 * HOUR).toISOString()}'`;
  await query('create table genuine as table audit_restores');
  await query(`update audit_restores set restored_to = ${long}`);
  await refused('another moment');
  await query(
    `delete from audit_restores; insert into audit_restores table genuine; update audit_restores set actor_id = 'ann'`,
  );
  await refused('another person');
  await query(`delete from audit_restores;
    insert into audit_restores select gen_random_uuid(), ${long}, recorded_at, 'cli', 'root', signature from genuine`);
  await refused('a new one');
});

test('a restore by other means is recorded by whoever knows of it', async (t) => {
  // The command tells the time by the clock of the machine.
  const { app, clock, file, sign, keep, putBack, faults, query, anotherNode } = await openLog(
    t,
    createMovableClock(new Date(Date.now() - 3 * HOUR)),
  );
  await sign();
  await keep('earlier');
  clock.advance(HOUR);
  const to = clock.now().toISOString();
  clock.advance(HOUR);
  await sign();
  const node = anotherNode();
  await putBack('earlier');
  const { config } = app.installation;
  const run = (moment: string) => auditRestored.run({ config, options: { to: moment }, flags: new Set(), given: '' });
  await assert.rejects(run(new Date(Date.now() + HOUR).toISOString()), /--to takes a moment of the past/);
  await assert.rejects(async () => run('yesterday'), /--to takes a time such as/);
  assert.deepEqual(asideIn(file), []);

  const output = await run(to);
  assert.match(
    output?.text ?? '',
    /1 checkpoints of rows that it lost are set aside in .+\nRecorded that the database was restored to /,
  );
  assert.deepEqual(await faults(), []);
  const [act] = await query(`select actor_kind, actor_id, at, details from audit_log where action = 'audit.restored'`);
  assert.deepEqual([act.actor_kind, act.actor_id, act.details], ['cli', userInfo().username, { restored_to: to }]);
  assert.deepEqual((await node.verify()).faults, []);
  assert.equal(asideIn(node.file).length, 1);
});
