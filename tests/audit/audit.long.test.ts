import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type TestContext, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { CHAINED_COLUMNS, type ChainedRow, FIRST_LINK, linkHash } from '../../src/accounts/audit/chain.ts';
import { type Checkpoint, readCheckpoint, signCheckpoint } from '../../src/accounts/audit/checkpoint.ts';
import { type Cut, signCut } from '../../src/accounts/audit/cut.ts';
import {
  createSealer,
  loadSigningKey,
  recordAct,
  type Sealer,
  verifyAudit,
  verifyCustomerAudit,
} from '../../src/accounts/index.ts';
import type { Command, Output } from '../../src/cli/command.ts';
import { agreementEnd, agreementRecord } from '../../src/cli/commands/agreement.ts';
import { auditVerify } from '../../src/cli/commands/audit.ts';
import { customerCreate } from '../../src/cli/commands/customer.ts';
import { formCreate } from '../../src/cli/commands/form.ts';
import { keyCreate, keyRevoke } from '../../src/cli/commands/key.ts';
import { userCreate } from '../../src/cli/commands/user.ts';
import { vaultDestroy, vaultRotate } from '../../src/cli/commands/vault.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { urlForRole } from '../../src/platform/db/roles.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

type Row = Record<string, unknown>;

async function query(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return withConnection(url, async (client) => (await client.query(text, values)).rows);
}

function message(changes: object = {}) {
  const base = {
    recipients: ['ann@example.com'],
    headers: { from: 'clinic@example.org', subject: 'Your results' },
    content: { 'text/plain': 'They are here.' },
  };
  return { data: { message: { ...base, ...changes } } };
}

function requestOf({ headers }: { headers: Headers }): string | null {
  return headers.get('x-request-id');
}

/** The audit rows of a customer, in the order in which they were written. */
function auditOf({ installation }: TestApp, customerId: number): Promise<Row[]> {
  const text = `select actor_kind, actor_id, action, target, request_id, details from audit_log
    where customer_id = $1 order by xact, id`;
  return query(installation.ownerUrl, text, [customerId]);
}

interface AuditTools {
  sealerDb: Database;
  sealer: Sealer;
  createSealerOver(db: Database): Sealer;
  verify(): ReturnType<typeof verifyAudit>;
  verifyOnly(customerId: number): ReturnType<typeof verifyAudit>;
  /** Waits until every transaction that has written a row is known to have ended; others in the cluster may delay that. */
  settled(): Promise<void>;
  /** Writes audit rows for a customer in one transaction. */
  write(customerId: number, count: number): Promise<void>;
  checkpointFile: string;
}

async function openAudit(t: TestContext, { installation, act }: TestApp): Promise<AuditTools> {
  const { ownerUrl, config, db, clock } = installation;
  const sealerDb = openDatabase(installation, 'sealer', 3);
  t.after(() => sealerDb.close());
  const signingKey = await loadSigningKey(installation);
  const checkpointFile = checkpointFileOf(config.dataDir);
  const createSealerOver = (over: Database) =>
    createSealer({ db: over, signingKey, checkpointFile, clock, metrics: createMetrics() });
  return {
    sealerDb,
    sealer: createSealerOver(sealerDb),
    createSealerOver,
    checkpointFile,
    verify: () => verifyAudit({ db: sealerDb, signingKey, checkpointFile }),
    verifyOnly: (customerId) =>
      verifyCustomerAudit({ db: sealerDb, signingKey, checkpointFile }, customerId, async () => {}),
    settled: async () => {
      await eventually(async () => {
        const text = `select not exists (select from audit_log where xact >= pg_snapshot_xmin(pg_current_snapshot())) as all`;
        return (await query(ownerUrl, text))[0]?.all === true;
      });
    },
    write: (customerId, count) =>
      db.tenant([customerId], async (tx) => {
        for (let each = 0; each < count; each += 1) {
          await recordAct(tx, clock, act(customerId, 'test.done'), { details: { each } });
        }
      }),
  };
}

/** What the chains hold of each customer: the audit ids in order, after checking that no number is missing. */
async function chainsOf({ installation }: TestApp): Promise<Map<number, string[]>> {
  const text = 'select customer_id, seq, audit_id from audit_chain order by customer_id, seq';
  const rows = (await query(installation.ownerUrl, text)) as { customer_id: number; seq: number; audit_id: string }[];
  const chains = Map.groupBy(rows, (row) => row.customer_id);
  for (const chain of chains.values()) {
    assert.deepEqual(
      chain.map(({ seq }) => seq),
      chain.map((_, index) => index + 1),
    );
  }
  return new Map([...chains].map(([customerId, chain]) => [customerId, chain.map((row) => row.audit_id)]));
}

async function assertAllChainedOnce(app: TestApp): Promise<void> {
  const rows = await query(app.installation.ownerUrl, `select customer_id || ' ' || id as name from audit_log`);
  const chained = [...(await chainsOf(app))].flatMap(([customer, ids]) => ids.map((id) => `${customer} ${id}`));
  assert.deepEqual(chained.toSorted(), rows.map((row) => String(row.name)).toSorted());
}

test('each act through HTTP leaves one row with its actor and request, and a refusal or a repetition none', async (t) => {
  const app = await startApp(t);
  const { id, key, keyId } = await app.createCustomer();
  const before = (await auditOf(app, id)).length;
  const post = (path: string, body: object, headers = {}) => app.request('POST', path, { key, body, headers });

  const sent = await post('/v1/email/messages', message());
  const once = await post('/v1/email/messages', message(), { 'idempotency-key': 'a' });
  await post('/v1/email/messages', message(), { 'idempotency-key': 'a' });
  const read = await app.request('GET', '/v1/email/sandbox/messages', { key });
  const subscriber = await post('/v1/marketing/subscribers', { subscriber: { email: 'ann@example.com' } });
  await app.request('GET', `/v1/forms/api/forms?customer_id=${id}`, { key });
  await post('/v1/email/messages', { data: {} });
  await app.request('GET', '/v1/email/sandbox/messages', { key: `${key}x` });

  const [list] = await query(app.installation.ownerUrl, 'select id::text from subscription_lists');
  const by = { actor_kind: 'key', actor_id: keyId };
  const accepted = (reply: typeof sent) => ({
    ...by,
    action: 'message.accepted',
    target: reply.body.sourceTrackingId,
    request_id: requestOf(reply),
    details: { messages: 1 },
  });
  assert.deepEqual((await auditOf(app, id)).slice(before), [
    accepted(sent),
    accepted(once),
    { ...by, action: 'sandbox.read', target: null, request_id: requestOf(read), details: { messages: [] } },
    {
      ...by,
      action: 'subscriber.saved',
      target: subscriber.body.data.id,
      request_id: requestOf(subscriber),
      details: { lists: [list?.id] },
    },
  ]);
});

test('each act on the command line leaves one row that names who ran it', async (t) => {
  const app = await startApp(t);
  const { config } = app.installation;
  t.after(() => rmSync(`${config.masterKeyFile}.previous`, { force: true }));
  const run = async (command: Command, options: Record<string, string>, flags: string[] = [], given = '') => {
    const output = await command.run({ config, options, flags: new Set(flags), given });
    return (output as Output).json as { id: string; master_key_id?: string };
  };
  const id = Number((await run(customerCreate, { name: 'Clinic', username: 'clinic' })).id);
  const customer = String(id);
  const key = await run(keyCreate, { customer, scopes: 'email,forms' });
  await run(keyRevoke, {}, [], key.id);
  const user = await run(userCreate, { customer, email: 'ann@example.org', role: 'owner' });
  const agreement = await run(agreementRecord, { customer, version: '2', signer: 'Ann', date: '2024-01-01' });
  const form = await run(formCreate, { customer, title: 'Intake' });
  await run(agreementEnd, { customer, date: '2024-02-01' });
  await run(vaultRotate, { customer });
  await run(vaultDestroy, { customer, confirm: 'clinic' });
  const { master_key_id: masterKeyId } = await run(vaultRotate, {}, ['master']);

  const rows = await auditOf(app, id);
  const by = { actor_kind: 'cli', actor_id: userInfo().username, request_id: null };
  const first = rows[1]?.target;
  assert.deepEqual(rows, [
    { ...by, action: 'customer.created', target: null, details: null },
    { ...by, action: 'agreement.recorded', target: first, details: { version: 'outside the product' } },
    { ...by, action: 'key.created', target: key.id, details: { mode: 'live', scopes: ['email', 'forms'] } },
    { ...by, action: 'key.revoked', target: key.id, details: null },
    { ...by, action: 'user.created', target: user.id, details: { role: 'owner' } },
    { ...by, action: 'agreement.recorded', target: agreement.id, details: { version: '2' } },
    { ...by, action: 'form.created', target: form.id, details: { version: 1 } },
    { ...by, action: 'agreement.ended', target: null, details: { agreements: [first, agreement.id] } },
    { ...by, action: 'vault.rotated', target: null, details: { version: 2 } },
    { ...by, action: 'vault.destroyed', target: null, details: { keyStore: 'database' } },
  ]);
  assert.deepEqual(await auditOf(app, 0), [
    { ...by, action: 'vault.master-rotated', target: null, details: { masterKeyId } },
  ]);
});

test('nothing of a message reaches the audit log', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { key } = await app.createCustomer();
  const body = message({
    recipients: ['Mark One <marker1@marker2.example>'],
    bcc: ['marker3@example.com'],
    headers: { from: 'marker4@example.org', subject: 'marker5', 'X-Ward': 'marker6' },
    content: { 'text/plain': 'marker7', 'text/html': Buffer.from('marker8').toString('base64') },
    attachments: [{ fileName: 'marker9', contentType: 'text/plain', content: Buffer.from('x').toString('base64') }],
  });
  await app.request('POST', '/v1/email/messages', { key, body, headers: { 'idempotency-key': 'marker10' } });
  await app.request('POST', '/v1/email/messages?marker11', { key, body: { data: { message: 'marker12' } } });
  await eventually(async () => {
    const reply = await app.request('GET', '/v1/email/sandbox/messages?to=marker1@marker2.example', { key });
    return reply.body.data.length === 1;
  });
  const rows = await query(app.installation.ownerUrl, 'select l::text as row from audit_log l');
  assert.ok(rows.some(({ row }) => String(row).includes('message.accepted')));
  assert.doesNotMatch(JSON.stringify(rows), /marker|Mark One/i);
});

test('no role changes, deletes or empties what was recorded, in the tables or their partitions', async (t) => {
  const app = await startApp(t);
  await app.createCustomer();
  const { sealer, settled } = await openAudit(t, app);
  await settled();
  await sealer.seal();
  await sealer.checkpoint();
  const { ownerUrl } = app.installation;
  const [{ part }] = (await query(ownerUrl, 'select tableoid::regclass::text as part from audit_log limit 1')) as [
    { part: string },
  ];
  const column = {
    audit_log: 'action',
    [part]: 'action',
    audit_chain: 'seq',
    audit_checkpoints: 'line',
    audit_signed_heads: 'at',
  };
  for (const [table, name] of Object.entries(column)) {
    for (const text of [`update ${table} set ${name} = ${name}`, `delete from ${table}`, `truncate ${table}`]) {
      for (const role of ['app', 'worker', 'sealer', 'jobs'] as const)
        await assert.rejects(query(urlForRole(ownerUrl, role), text), { code: '42501' }, `${role}: ${text}`);
      await assert.rejects(query(ownerUrl, text), { message: /^audit_\w+ is insert-only$/ }, `owner: ${text}`);
    }
  }
});

test('one call of the sealer chains all there is, also more than a batch and rows written in one transaction', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const { sealer, settled, verify } = await openAudit(t, app);
  const insert = `insert into audit_log (id, customer_id, at, actor_kind, actor_id, action)
    select gen_random_uuid(), ${id}, now(), 'cli', 'test', 'done ' || n from generate_series(1, $1::int) n`;
  for (const count of [1, 4_998, 3, 5_001, 2_000]) await query(app.installation.ownerUrl, insert, [count]);
  await settled();
  const [all] = await query(app.installation.ownerUrl, 'select count(*)::int as count from audit_log');
  assert.equal(await sealer.seal(), all?.count);
  assert.equal(await sealer.seal(), 0);
  await assertAllChainedOnce(app);
  assert.deepEqual(await verify(), { rows: all?.count, checkpoints: 0, faults: [] });
});

test('a transaction that is still open holds back what was written after it, so that it is never passed over', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const { sealer, settled, write, verify } = await openAudit(t, app);
  await settled();
  await sealer.seal();
  const { db, clock } = app.installation;
  await db.tenant([id], async (slow) => {
    await recordAct(slow, clock, app.act(id, 'slow'), {});
    await write(id, 3);
    assert.equal(await sealer.seal(), 0);
  });
  await settled();
  assert.equal(await sealer.seal(), 4);
  const [last] = (await query(
    app.installation.ownerUrl,
    `select action from audit_log l join audit_chain c on c.audit_id = l.id where c.customer_id = ${id} and seq = 4`,
  )) as [Row];
  assert.equal(last.action, 'slow', 'in the order of their transactions');
  assert.deepEqual((await verify()).faults, []);
});

test('rows of many concurrent transactions are chained once each while several sealers run', async (t) => {
  const app = await startApp(t);
  const customers = [await app.createCustomer(), await app.createCustomer(), await app.createCustomer()];
  const { sealer, createSealerOver, sealerDb, settled, write, verify } = await openAudit(t, app);
  const { db, clock } = app.installation;
  const writers = { writing: true };
  let sealed = 0;
  const sealing = [sealer, createSealerOver(sealerDb)].map(async (each) => {
    while (writers.writing) {
      const count = await each.seal();
      sealed += count;
    }
  });
  const writer = async (_: unknown, number: number) => {
    for (let turn = 0; turn < 12; turn += 1) {
      const { id } = customers[(number + turn) % customers.length] as { id: number };
      await write(id, 1 + (turn % 4));
      if (turn % 3 > 0) continue;
      const undone = db.tenant([id], async (tx) => {
        await recordAct(tx, clock, app.act(id, 'undone'), {});
        throw new Error('rolled back');
      });
      await assert.rejects(undone, { message: 'rolled back' });
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  writers.writing = false;
  await Promise.all(sealing);
  await settled();
  sealed += await sealer.seal();
  const [all] = await query(app.installation.ownerUrl, 'select count(*)::int as count from audit_log');
  assert.equal(sealed, all?.count);
  await assertAllChainedOnce(app);
  assert.deepEqual(await query(app.installation.ownerUrl, `select from audit_log where action = 'undone'`), []);
  assert.deepEqual((await verify()).faults, []);
});

test('what a crash left open is closed by the next run', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const { sealer, createSealerOver, sealerDb, settled, write, verify, checkpointFile } = await openAudit(t, app);
  const crashing = createSealerOver({
    ...sealerDb,
    untenanted: (work) =>
      sealerDb.untenanted(async (tx) => {
        await work(tx);
        throw new Error('crashed before the commit');
      }),
  });
  await write(id, 4);
  await settled();
  await assert.rejects(crashing.seal(), { message: 'crashed before the commit' });
  assert.deepEqual(await chainsOf(app), new Map());
  assert.equal(await sealer.seal(), 7);
  await assert.rejects(crashing.checkpoint(), { message: 'crashed before the commit' });
  assert.deepEqual(await query(app.installation.ownerUrl, 'select from audit_checkpoints'), []);
  await sealer.checkpoint();
  await sealer.checkpoint();
  assert.equal(readFileSync(checkpointFile, 'utf8').split('\n').length, 3, 'one line of the crash, one of the next');
  await assertAllChainedOnce(app);
  assert.deepEqual((await verify()).faults, []);
});

test('what a full disk left of a checkpoint spoils neither a verification nor the checkpoints after it', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const { sealer, settled, write, verify, checkpointFile } = await openAudit(t, app);
  const checkpoint = async () => {
    await write(id, 1);
    await settled();
    await sealer.seal();
    await sealer.checkpoint();
  };
  await checkpoint();
  const whole = readFileSync(checkpointFile, 'utf8');
  for (const left of [whole.slice(0, 40), '{'.repeat(200_000)]) {
    appendFileSync(checkpointFile, left);
    assert.deepEqual((await verify()).faults, []);
    await checkpoint();
    assert.deepEqual((await verify()).faults, []);
  }
  const lines = readFileSync(checkpointFile, 'utf8').split('\n');
  assert.equal(lines.length, 4);
  assert.equal(`${lines[0]}\n`, whole);
});

test('checkpoints by the thousand are each looked at once, whether the database has them, the file, or both', async (t) => {
  const app = await startApp(t);
  const { ownerUrl } = app.installation;
  const { id } = await app.createCustomer();
  const { sealer, settled, write, verify, checkpointFile } = await openAudit(t, app);
  const signingKey = await loadSigningKey(app.installation);
  await write(id, 3);
  await settled();
  await sealer.seal();
  await sealer.checkpoint();
  const [first = ''] = readFileSync(checkpointFile, 'utf8').split('\n');
  const { heads } = readCheckpoint(signingKey, first) as Checkpoint;
  const lineOf = (number: number, said: Checkpoint['heads']) =>
    signCheckpoint(signingKey, { number, at: '2026-01-01T00:00:00.000Z', heads: said });
  const numbers = Array.from({ length: 1_299 }, (_, index) => index + 2);
  const store = (rows: number[]) =>
    withConnection(ownerUrl, (client) =>
      client.query('insert into audit_checkpoints (number, line) select * from unnest($1::int[], $2::text[])', [
        rows,
        rows.map((number) => lineOf(number, heads)),
      ]),
    );
  const keep = (lines: string[]) => appendFileSync(checkpointFile, lines.map((line) => `${line}\n`).join(''));
  await store(numbers.filter((number) => number % 3 !== 0));
  keep(numbers.filter((number) => number % 3 === 0 || number % 5 === 0).map((number) => lineOf(number, heads)));
  assert.deepEqual(await verify(), { rows: heads[0]?.seq, checkpoints: 1_300, faults: [] });
  const other = heads.map((head) => ({ ...head, hash: '0'.repeat(64) }));
  keep([lineOf(1_301, other)]);
  const [fault] = (await verify()).faults;
  assert.deepEqual([fault?.customerId, fault?.seq], [id, heads[0]?.seq]);
});

/** A database, and how long the longest of its statements or answers has been. */
function weigh(db: Database): { weighed: Database; longest(): number } {
  let longest = 0;
  const note = (what: unknown) => {
    longest = Math.max(longest, JSON.stringify(what).length);
  };
  const scales: KyselyPlugin = {
    transformQuery({ node }) {
      note(node);
      return node;
    },
    async transformResult({ result }) {
      note(result.rows);
      return result;
    },
  };
  const untenanted: Database['untenanted'] = (work) => db.untenanted((tx) => work(tx.withPlugin(scales)));
  return { weighed: { ...db, untenanted }, longest: () => longest };
}

test('checkpoints that name chains by the thousand are compared without holding many of them at once', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const { sealer, sealerDb, settled, write, checkpointFile } = await openAudit(t, app);
  await write(id, 3);
  await settled();
  await sealer.seal();
  await sealer.checkpoint();
  const signingKey = await loadSigningKey(app.installation);
  const [first = ''] = readFileSync(checkpointFile, 'utf8').split('\n');
  const [head] = (readCheckpoint(signingKey, first) as Checkpoint).heads as [Checkpoint['heads'][0]];
  const heads = Array.from({ length: 2_003 }, () => head);
  const lineOf = (number: number, said: Checkpoint['heads']) =>
    signCheckpoint(signingKey, { number, at: '2026-01-01T00:00:00.000Z', heads: said });
  const lines = Array.from({ length: 40 }, (_, index) => lineOf(index + 2, heads));
  await query(
    app.installation.ownerUrl,
    'insert into audit_checkpoints (number, line) select n + 1, line from unnest($1::text[]) with ordinality as l (line, n)',
    [lines],
  );
  const { weighed, longest } = weigh(sealerDb);
  const verify = () => verifyAudit({ db: weighed, signingKey, checkpointFile });
  assert.deepEqual(await verify(), { rows: head.seq, checkpoints: 41, faults: [] });
  const all = lines.join('').length;
  assert.ok(longest() < all / 3, `${longest()} of ${all}`);
  const another = heads.with(2_000, { ...head, hash: '0'.repeat(64) });
  appendFileSync(checkpointFile, `${lineOf(42, another)}\n`);
  const { checkpoints, faults } = await verify();
  assert.deepEqual([checkpoints, faults.map(({ seq }) => seq)], [42, [head.seq]]);
});

test('the product itself seals, checkpoints outside the database when it stops, and verifies on the command line', async (t) => {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { id, key } = await app.createCustomer();
  await app.request('POST', '/v1/email/messages', { key, body: message() });
  const { checkpointFile } = await openAudit(t, app);
  await eventually(async () => (await chainsOf(app)).get(id)?.length === 5);
  await app.stop();
  const [line = ''] = readFileSync(checkpointFile, 'utf8').split('\n');
  assert.deepEqual((JSON.parse(line.split('\t')[0] as string) as { heads: Row[] }).heads[0]?.customer, id);
  const { config } = app.installation;
  const output = await auditVerify.run({ config, options: {}, flags: new Set(), given: '' });
  assert.deepEqual(output?.json, { rows: 5, checkpoints: 1, faults: [], set_aside: [] });
  assert.equal(output?.failed, false);
});

const EDITS = {
  id: `'00000000-0000-4000-8000-000000000000'`,
  customer_id: 'customer_id + 1',
  xact: `'9000000000'`,
  at: `at + interval '1 microsecond'`,
  actor_kind: `'cli '`,
  actor_id: `'somebody'`,
  action: `'nothing'`,
  target: `coalesce(target, '') || 'x'`,
  request_id: `'another'`,
  details: `coalesce(details, '{}') || '{"more": 1}'`,
};

const CUT_AT = '2026-01-01T00:00:00.000Z';

test('verification finds every kind of tampering and names the first bad row', async (t) => {
  const app = await startApp(t);
  const [{ id: customer }, { id: bystander }] = [await app.createCustomer(), await app.createCustomer()];
  const { ownerUrl } = app.installation;
  const { sealer, settled, write, verify, verifyOnly, checkpointFile } = await openAudit(t, app);
  const close = async () => {
    await settled();
    await sealer.seal();
  };
  await write(customer, 4);
  await close();
  await sealer.checkpoint();
  await write(customer, 2);
  await close();
  const ids = ['', ...((await chainsOf(app)).get(customer) ?? [])];
  assert.equal(ids.length - 1, 9, 'seven rows in the checkpoint and two after it');

  const tables = ['audit_log', 'audit_chain', 'audit_heads', 'audit_cuts', 'audit_checkpoints', 'audit_watermark'];
  for (const table of tables)
    await query(ownerUrl, `alter table ${table} disable trigger user; create table kept_${table} as table ${table}`);
  const lines = readFileSync(checkpointFile, 'utf8');
  const restore = async () => {
    await query(
      ownerUrl,
      tables.map((table) => `delete from ${table}; insert into ${table} table kept_${table}`).join(';'),
    );
    writeFileSync(checkpointFile, lines);
    assert.deepEqual((await verify()).faults, []);
  };
  const found = async (what: string, tamper: string | (() => Promise<void>), expected: object) => {
    if (typeof tamper === 'string') await query(ownerUrl, tamper);
    else await tamper();
    const [fault] = (await verify()).faults;
    const { reason, ...where } = fault ?? { reason: 'nothing was found' };
    const place = { customerId: customer, seq: null, auditId: null, ...expected };
    assert.deepEqual(where, place, `${what}: ${reason}`);
    assert.deepEqual((await verifyOnly(customer)).faults[0], fault, `${what}: of the customer alone`);
    await restore();
  };
  const row = (seq: number) => `id = '${ids[seq]}'`;
  const link = (seq: number) => `customer_id = ${customer} and seq = ${seq}`;
  const at = (seq: number) => ({ seq, auditId: ids[seq] });
  const cut = (from: number) => `
    delete from audit_log where id in (select audit_id from audit_chain where customer_id = ${customer} and seq >= ${from});
    delete from audit_chain where customer_id = ${customer} and seq >= ${from};`;
  const headAt = (seq: number) => `
    update audit_heads h set seq = c.seq, hash = c.hash from audit_chain c
    where h.customer_id = ${customer} and c.customer_id = h.customer_id and c.seq = ${seq};`;
  const noHead = `delete from audit_heads where customer_id = ${customer}`;
  const rewriteChain = () => rewriteFrom(ownerUrl, customer);
  const cutsAt = (seq: number, hash: string, signature: string) =>
    `insert into audit_cuts values (${customer}, ${seq}, '\\x${hash}', 6, '${CUT_AT}', '${signature}');`;
  const unsignedCut = cutsAt(1_000_000, '00', Buffer.alloc(64).toString('base64'));
  const signingKey = await loadSigningKey(app.installation);
  const [{ hash }] = (await query(
    ownerUrl,
    `select encode(hash, 'hex') as hash from audit_chain where ${link(7)}`,
  )) as [Pick<Cut, 'hash'>];
  const signedCut = cutsAt(7, hash, signCut(signingKey, { customer, seq: 7, hash, years: 6, at: CUT_AT }));

  assert.deepEqual(await verify(), { rows: 12, checkpoints: 1, faults: [] });
  for (const [column, value] of Object.entries(EDITS)) {
    await found(`edit of ${column}`, `update audit_log set ${column} = ${value} where ${row(4)}`, at(4));
  }
  await found(
    'renamed row',
    `update audit_log set id = ${EDITS.id} where ${row(4)}; update audit_chain set audit_id = ${EDITS.id} where ${link(4)}`,
    { seq: 4, auditId: '00000000-0000-4000-8000-000000000000' },
  );
  await found('removed row', `delete from audit_log where ${row(4)}`, at(4));
  await found('removed link', `delete from audit_chain where ${link(4)}`, { seq: 4 });
  await found('removed last link', `delete from audit_chain where ${link(9)}`, { seq: 9 });
  await found(
    'removed row and link',
    `delete from audit_log where ${row(4)}; delete from audit_chain where ${link(4)}`,
    {
      seq: 4,
    },
  );
  await found(
    'swapped links',
    `update audit_chain set seq = -seq where ${link(3)} or ${link(5)};
     update audit_chain set seq = 8 + seq where customer_id = ${customer} and seq < 0`,
    { seq: 3, auditId: ids[5] },
  );
  await found('altered hash', `update audit_chain set hash = sha256(hash) where ${link(4)}`, at(4));
  await found('altered last hash', `update audit_chain set hash = sha256(hash) where ${link(9)}`, at(9));
  await found('altered head', `update audit_heads set hash = sha256(hash) where customer_id = ${customer}`, at(9));
  await found('cut after the checkpoint', cut(9), { seq: 9 });
  await found('cut tail', `${cut(6)} ${headAt(5)} delete from audit_checkpoints`, { seq: 6 });
  await found('cut to nothing', `${cut(1)} ${noHead}; delete from audit_checkpoints`, { seq: 1 });
  await found('moved watermark', `update audit_watermark set sealed_below = '0'`, at(1));
  await found('removed head', noHead, { seq: 10 });
  await found('removed log, with a cut that nobody signed', `${cut(1)} ${noHead}; ${unsignedCut}`, { seq: 1 });
  await found(
    'removed log, of which no checkpoint tells',
    async () => {
      writeFileSync(checkpointFile, '');
      await query(ownerUrl, `${cut(1)} ${noHead}; delete from audit_checkpoints; ${unsignedCut}`);
    },
    { seq: 1 },
  );
  await found('removed head, behind a cut at the last checkpoint', `${cut(1)} ${noHead}; ${signedCut}`, { seq: 8 });
  await query(ownerUrl, `${headAt(7)} ${cut(1)} ${signedCut}`);
  assert.deepEqual((await verify()).faults, [], 'a log of which all is over');
  await restore();
  await found('rewritten history', rewriteChain, at(7));
  await found(
    'inserted row',
    `insert into audit_log (id, customer_id, xact, at, actor_kind, actor_id, action)
     select 'ffffffff-0000-7000-8000-000000000000', customer_id, xact, at, 'cli', 'test', 'slipped in'
     from audit_log where ${row(4)}`,
    { auditId: 'ffffffff-0000-7000-8000-000000000000' },
  );
  const broken = { customerId: 0 };
  const alter = (text: string) => text.replace(`"customer":${customer}`, `"customer":${bystander}`);
  await found('altered line', async () => writeFileSync(checkpointFile, alter(lines)), broken);
  const stored = `update audit_checkpoints set line = replace(line, '"customer":${customer}', '"customer":${bystander}')`;
  await found('altered checkpoint', stored, broken);
});

test('without the file outside the database a cut tail could not be found', async (t) => {
  const app = await startApp(t);
  const { id } = await app.createCustomer();
  const { sealer, settled, verify, checkpointFile } = await openAudit(t, app);
  await settled();
  await sealer.seal();
  await sealer.checkpoint();
  await query(
    app.installation.ownerUrl,
    `alter table audit_log disable trigger user; alter table audit_chain disable trigger user;
     alter table audit_checkpoints disable trigger user; delete from audit_checkpoints;
     delete from audit_log; delete from audit_chain; delete from audit_heads`,
  );
  assert.deepEqual(
    (await verify()).faults.map(({ customerId, seq }) => ({ customerId, seq })),
    [{ customerId: id, seq: 1 }],
  );
  rmSync(checkpointFile);
  assert.deepEqual(await verify(), { rows: 0, checkpoints: 0, faults: [] });
});

/** What somebody with the owner's rights can do who knows how hashes are made, but has no signing key. */
async function rewriteFrom(ownerUrl: string, customerId: number): Promise<void> {
  await query(ownerUrl, `update audit_log set action = 'nothing' where customer_id = ${customerId}`);
  const rows = await query(
    ownerUrl,
    `select c.seq, l.* from audit_chain c, lateral (select ${CHAINED_COLUMNS} from audit_log where id = c.audit_id) l
     where c.customer_id = ${customerId} order by seq`,
  );
  let hash: Buffer = FIRST_LINK;
  for (const row of rows as unknown as (ChainedRow & { seq: number })[]) {
    hash = linkHash(hash, row);
    const values = [hash, customerId, row.seq];
    await query(ownerUrl, 'update audit_chain set hash = $1 where customer_id = $2 and seq = $3', values);
  }
  await query(ownerUrl, 'update audit_heads set hash = $1 where customer_id = $2', [hash, customerId]);
}
