import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { destroyCustomerKeys } from '../../src/accounts/index.ts';
import { prepareEvidence } from '../../src/email/evidence/record.ts';
import { verifyEvidence } from '../../src/email/evidence/verify.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { runHere, runProcess } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { deliveredReceipt, messageTo, send } from '../support/mail.ts';
import { attempt, keep, openWorker, signAll } from './kept.ts';

const evidenceOf = (app: TestApp, key: string, id: string) =>
  app.request('GET', `/v1/email/message_log/${id}/evidence`, { key });

async function begin(t: TestContext) {
  const app = await startApp(t);
  const customer = await app.createCustomer();
  const db = openWorker(t, app);
  const messageId = await send(app, customer.key, messageTo('ann@example.com'));
  return { app, customer, db, messageId, which: { customerId: customer.id, messageId } };
}

function query(app: TestApp, text: string, values: unknown[] = []) {
  return withConnection(app.installation.ownerUrl, async (client) => (await client.query(text, values)).rows);
}

/** What the owner of the database can do about rows that are insert-only. */
const UNGUARDED = 'set session_replication_role = replica;';

const actsOf = (app: TestApp, { id }: TestCustomer) =>
  query(app, `select target, details from audit_log where customer_id = $1 and action = 'message.evidence-exported'`, [
    id,
  ]);

test('evidence is handed out once it is signed, proves what was written down, and says nothing of other customers', async (t) => {
  const { app, customer, db, messageId, which } = await begin(t);
  const stranger = await app.createCustomer();
  const strange = await send(app, stranger.key, messageTo('ben@example.com'));
  const records = [
    attempt(which, {
      outcome: 'deferred',
      code: 451,
      reply: '451 4.7.1 \u0000\udc00 not <ann@example.com>',
      notice: true,
      tls: {
        version: 'TLSv1.2',
        cipher: 'X',
        certificateSha256: null,
        verified: false,
        policy: 'none',
        basis: null,
        reason: 'another name',
      },
    }),
    attempt({ customerId: stranger.id, messageId: strange }, { recipient: 'ben@example.com' }),
    attempt(which, {
      attempt: 2,
      outcome: 'deferred',
      recipient: null,
      mx: null,
      address: null,
      tls: null,
      code: null,
      reply: null,
    }),
  ];
  await keep(app, db, records);
  await keep(app, db, [attempt(which, { attempt: 3 })]);
  const early = await evidenceOf(app, customer.key, messageId);
  assert.deepEqual([early.status, early.headers.get('retry-after')], [409, '60']);
  assert.match(early.body.errors[0].details, /not signed yet: ask again in a minute/);
  assert.deepEqual(await actsOf(app, customer), []);

  await signAll(t, app);
  const { status, body, text } = await evidenceOf(app, customer.key, messageId);
  assert.equal(status, 200, text);
  const { attempts, contents } = verifyEvidence(body.data, null);
  const expected = [records[0], records[2], attempt(which, { attempt: 3 })].map((record) => ({
    ...record,
    reply: record?.reply?.toWellFormed() ?? null,
  }));
  assert.deepEqual(
    attempts.map(({ evidence }) => evidence),
    expected,
  );
  assert.equal(contents.without, 0);
  assert.ok(contents.stretches.every(({ rows }) => rows.every((row) => row.customer_id === customer.id)));
  assert.doesNotMatch(text, new RegExp(`${strange}|ben@|"customer":${stranger.id}\\b`));
  assert.deepEqual(await actsOf(app, customer), [{ target: messageId, details: { attempts: 3 } }]);
});

test('what the product itself delivered is proved once it is signed', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { key } = await app.createCustomer();
  const id = await send(app, key, { ...messageTo('ann@example.com'), cc: ['ben@example.com'] });
  await deliveredReceipt(app, key, id);
  // The worker seals and signs too, and whoever comes second goes without.
  const body = await eventually(async () => {
    await signAll(t, app);
    const reply = await evidenceOf(app, key, id);
    return reply.status === 200 && reply.body;
  });
  const { attempts, contents } = verifyEvidence(body.data, null);
  const told = attempts.map(({ evidence: { recipient, outcome, tls, reply } }) => ({
    recipient,
    outcome,
    verified: tls?.verified,
    certificate: tls?.certificateSha256?.length,
    reply: reply?.slice(0, 3),
  }));
  const both = { outcome: 'delivered', verified: true, certificate: 64, reply: '250' };
  assert.deepEqual(told, [
    { recipient: 'ann@example.com', ...both },
    { recipient: 'ben@example.com', ...both },
  ]);
  assert.equal(contents.without, 0);
});

test('an attempt that is under way is counted and not told, and a message that was never tried has an empty bundle', async (t) => {
  const { app, customer, db, messageId, which } = await begin(t);
  const untried = await evidenceOf(app, customer.key, messageId);
  assert.deepEqual(verifyEvidence(untried.body.data, null).attempts, []);
  await keep(app, db, [attempt(which)]);
  await query(app, 'insert into delivery_attempts values ($1, 0, 2, $2, now())', [messageId, customer.id]);
  await signAll(t, app);
  const { contents } = verifyEvidence((await evidenceOf(app, customer.key, messageId)).body.data, null);
  assert.deepEqual([contents.attempts.length, contents.without], [1, 1]);
});

test('what somebody changed in the database is found by whoever checks the bundle', async (t) => {
  const { app, customer, db, messageId, which } = await begin(t);
  const other = { ...which, messageId: await send(app, customer.key, messageTo('ben@example.com')) };
  await keep(app, db, [attempt(which), attempt(other, { recipient: 'ben@example.com' })]);
  await signAll(t, app);
  const fault = async () => {
    try {
      verifyEvidence((await evidenceOf(app, customer.key, messageId)).body.data, null);
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  assert.equal(await fault(), null);
  const changes: [string, RegExp][] = [
    ["update delivery_attempts set outcome = 'refused'", /evidence is not what was written down/],
    ['update delivery_attempts set certificate_hash = sha256(certificate_hash)', /not what was written down/],
    ["update delivery_attempts set started_at = started_at + interval '1 ms'", /not what was written down/],
    ['update delivery_attempts set evidence_position = 1 - evidence_position', /not what was written down/],
    ['update evidence_batches set leaves = substring(leaves from 1 for 32)', /as many hashes as its audit row says/],
    ['update evidence_batches set leaves = leaves || sha256(leaves)', /as many hashes as its audit row says/],
    ["update evidence_batches set leaves = overlay(leaves placing '\\x00' from 40)", /do not add up/],
    [
      `update audit_log set at = at - interval '1 day' where action = 'email.attempts'`,
      /do not hash to the signed head/,
    ],
    [`update audit_signed_heads set at = '2020-01-01T00:00:00.000Z'`, /signature of the head/],
  ];
  for (const [change, found] of changes) {
    const table = /update (\w+)/.exec(change)?.[1] as string;
    await query(app, `create table saved as table ${table}`);
    await query(app, `${UNGUARDED} ${change}`);
    assert.match(String(await fault()), found, change);
    await query(app, `${UNGUARDED} delete from ${table}; insert into ${table} select * from saved; drop table saved`);
  }
});

test('a customer whose keys were destroyed leaves no evidence and holds up nobody', async (t) => {
  const { app, customer, which } = await begin(t);
  const gone = await app.createCustomer();
  const { installation } = app;
  await destroyCustomerKeys({ ...installation, store: installation.keyStore, backupDays: 1 }, app.act(gone.id, 'x'));
  installation.vault.forget(gone.id);
  const records = [attempt({ ...which, customerId: gone.id }), attempt(which)];
  const { audit, places } = await prepareEvidence(installation, records);
  assert.deepEqual(
    audit.map((row) => row.customer_id),
    [customer.id],
  );
  assert.deepEqual(places, [null, { evidenceId: audit[0]?.id, position: 0 }]);
});

test('on the command line evidence is exported, and checked without database and settings', async (t) => {
  const { app, customer, db, messageId, which } = await begin(t);
  await keep(app, db, [attempt(which, { reply: '250 \u001b[2J ok' })]);
  await signAll(t, app);
  const folder = mkdtempSync(join(tmpdir(), 'carepost-evidence-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { databaseUrl, dataDir, masterKeyFile } = app.installation.config;
  const env = {
    CAREPOST_DATABASE_URL: databaseUrl as string,
    CAREPOST_DATA_DIR: dataDir,
    CAREPOST_MASTER_KEY_FILE: masterKeyFile,
  };
  const who = ['--customer', String(customer.id)];
  const [exported, key] = await Promise.all([
    runProcess(['evidence', 'export', messageId, ...who], env),
    runHere(['evidence', 'key'], env),
  ]);
  assert.deepEqual([exported.code, exported.err, key.code], [0, '', 0]);
  const [fingerprint = ''] = key.out.split('\n');
  const file = join(folder, 'evidence.json');
  writeFileSync(file, exported.out);
  const broken = { CAREPOST_DATABASE_URL: 'nonsense', CAREPOST_HTTP_PORT: 'nonsense' };
  const check = (...more: string[]) => runHere(['evidence', 'verify', file, ...more], broken);
  const good = await runProcess(['evidence', 'verify', file, '--key', fingerprint], broken);
  assert.deepEqual([good.code, good.err], [0, '']);
  assert.deepEqual(good.out.split('\n').slice(2, 5), [
    'Attempt 1 at ann@example.com, 2026-03-01T08:00:00.125Z to 2026-03-01T08:00:01.500Z',
    `  delivered: mx.example.com [192.0.2.25] took the content, over TLSv1.3 TLS_AES_256_GCM_SHA384, certificate ${'ab'.repeat(32)}, verified by mta-sts (20260301T000000)`,
    '  The answer: 250  [2J ok',
  ]);
  assert.match(good.out, /^1 attempts proved$/m);
  assert.doesNotMatch(good.out, /NOT compared/);
  const stranger = await check('--key', '0'.repeat(64));
  assert.equal(stranger.code, 1);
  assert.match(stranger.out, /^NOT PROVED: the file was signed with another key than the one given\n$/);

  const { text } = await evidenceOf(app, customer.key, messageId);
  writeFileSync(file, text);
  const unasked = await check();
  assert.equal(unasked.code, 0, 'as the API answers it');
  assert.match(unasked.out, /^The key was NOT compared: /m);
  assert.equal(JSON.parse((await check('--json')).out).key_compared, false);
  writeFileSync(file, text.replace('192.0.2.25', '192.0.2.26'));
  const changed = await check('--json');
  assert.deepEqual(
    [changed.code, JSON.parse(changed.out)],
    [1, { ok: false, fault: 'the signature of the file does not fit it' }],
  );
  writeFileSync(file, 'no json');
  assert.deepEqual(await check(), { code: 1, out: '', err: 'carepost: the file does not hold JSON\n' });
  const none = await runHere(['evidence', 'export', ...who], env);
  assert.match(none.err, /^carepost: evidence export takes one MESSAGE\n$/);
});
