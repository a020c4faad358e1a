import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recordAgreement } from '../../src/accounts/index.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { createLog } from '../../src/platform/log.ts';
import { startApp, type TestApp, type TestCustomer } from '../support/app.ts';
import { runProcess } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { addForm } from '../support/forms.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const UNCHAINED = `select from audit_log l where not exists (select from audit_chain c where c.audit_id = l.id)`;
const log = createLog('silent');

async function query<Row = Record<string, unknown>>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  return withConnection(url, async (client) => (await client.query(text, values)).rows as Row[]);
}

/** A submission with a file, and the blob that holds it. */
async function submitTo(app: TestApp, formId: string): Promise<{ id: string; blob: string }> {
  const body = {
    form_data: { question: 'an answer' },
    attachments: [{ name: 'a.txt', content: Buffer.alloc(5_000, 'a').toString('base64') }],
  };
  const reply = await app.request('POST', `/api/forms/${formId}/submissions`, { body });
  assert.equal(reply.status, 201, reply.text);
  const [newest] = await query<{ id: string }>(
    app.installation.ownerUrl,
    'select id from blobs order by id desc limit 1',
  );
  return { id: reply.headers.get('x-submission-id') as string, blob: newest?.id as string };
}

async function sendFrom(app: TestApp, { key }: TestCustomer): Promise<string> {
  const message = {
    recipients: ['a@example.com'],
    headers: { from: 'clinic@example.org', subject: 'S' },
    content: { 'text/plain': 'T' },
  };
  const reply = await app.request('POST', '/v1/email/messages', { key, body: { data: { message } } });
  assert.equal(reply.status, 200, reply.text);
  const [row] = await query<{ id: string }>(app.installation.ownerUrl, 'select id from messages');
  return row?.id as string;
}

/** A signed agreement as a file, which outlives the customer under the keys of the installation. */
async function signAgreement(app: TestApp, { id }: TestCustomer): Promise<void> {
  const pdf = Buffer.from('%PDF-1.7 signed');
  const agreement = { version: '2', signer: 'Test', signedOn: '2020-01-01', endsOn: null, pdf };
  await recordAgreement(app.installation, app.act(id, 'agreement.recorded'), agreement);
}

function copyOf(to: string, blob: string): string {
  return join(to, 'blobs', blob.slice(-2), blob.slice(-4, -2), blob);
}

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

/** The same for a value of a column, in SQL. */
function flipped(column: string): string {
  return `set_byte(${column}, 30, get_byte(${column}, 30) # 1)`;
}

/** What trials have left in a folder. */
function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('carepost-'));
}

/** Starts PostgreSQL on a data directory as restored, and waits until it has replayed the log. */
async function startRestored(t: TestContext, elsewhere: string, ownerUrl: string): Promise<string> {
  const { password, pathname } = new URL(ownerUrl);
  const connection = { socketFolder: join(elsewhere, 'run'), password, database: pathname.slice(1) };
  writeFileSync(join(elsewhere, 'postgres.json'), JSON.stringify(connection));
  const server = await startEmbedded({ dataDir: elsewhere, log });
  t.after(server.stop);
  await eventually(async () => (await query(server.url, 'select where not pg_is_in_recovery()')).length > 0);
  return server.url;
}

test('what is wrong with a backup is found by trying it out', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-faults-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [to, keys, temp] = ['to', 'keys', 'temp'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(temp);
  const foreign = await startEmbedded({ dataDir: join(folder, 'foreign'), log });
  t.after(foreign.stop);
  const app = await startApp(t, { env: { CAREPOST_DATABASE_URL: foreign.url, CAREPOST_ROLES: 'http,worker' } });
  const { dataDir } = app.installation.config;
  const env = { CAREPOST_DATABASE_URL: foreign.url, CAREPOST_DATA_DIR: dataDir, TMPDIR: temp };
  const carepost = async (args: string[], more: Record<string, string> = {}) => {
    const { code, out, err } = await runProcess([...args, '--json'], { ...env, ...more });
    return { code, err, json: out === '' ? null : JSON.parse(out) };
  };
  const back = async () => {
    const { code, err, json } = await carepost(['backup', '--to', to, '--keys-to', keys]);
    assert.deepEqual([code, err], [0, '']);
    return json;
  };
  const where = ['restore', '--from', to, '--keys', keys];
  const verify = () => carepost([...where, '--verify']);
  const tests = () =>
    query(foreign.url, `select ok, bytes is not null as read from backup_runs where kind = 'verify' order by id desc`);

  const [busy, shortened] = [await app.createCustomer(), await app.createCustomer()];
  const erased = await app.createCustomer();
  const [keyless, leaving] = [await app.createCustomer(), await app.createCustomer()];
  const formId = await addForm(app, busy.id);
  const [unreadable, unlike] = [await submitTo(app, formId), await submitTo(app, formId)];
  const [altered, removed] = [await submitTo(app, formId), await submitTo(app, formId)];
  const messageId = await sendFrom(app, busy);
  await signAgreement(app, leaving);
  const destroy = ['--customer', String(leaving.id), '--confirm', leaving.username, '--now', '--reason', 'Asked for'];
  const destroyed = await carepost(['customer', 'destroy', ...destroy]);
  assert.equal(destroyed.code, 0, destroyed.err);
  await eventually(async () => (await query(foreign.url, UNCHAINED)).length === 0);
  await app.stop();
  const { backup } = await back();

  await t.test('a sound one has no fault, and every file is opened, those of the installation too', async () => {
    const { code, err, json } = await verify();
    assert.deepEqual([code, err, json?.faults], [0, '', []]);
    assert.deepEqual([json.files, json.submissions, json.customers_destroyed, json.recorded], [5, 4, 1, true]);
    assert.deepEqual(await tests(), [{ ok: true, read: true }]);
  });

  await t.test(
    'nothing of the copy stays where a signal ends it, or after the next one where it was killed',
    async () => {
      const cutOff = async (signal: NodeJS.Signals, sign: string) => {
        const child = spawn(process.execPath, [MAIN, ...where, '--verify'], {
          env: { PATH: process.env.PATH, ...env },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let said = '';
        child.stderr.on('data', (chunk) => (said += chunk));
        const ended = once(child, 'close');
        const before = leftIn(temp);
        const own = () => leftIn(temp).find((name) => !before.includes(name) && existsSync(join(temp, name, sign)));
        await eventually(async () => child.exitCode !== null || own() !== undefined);
        child.kill(signal);
        const [code] = await ended;
        return { code, said };
      };
      const killed = await cutOff('SIGKILL', 'postgres/PG_VERSION');
      assert.deepEqual([killed.code, leftIn(temp).length], [null, 1]);
      const unpacking = await cutOff('SIGINT', 'postgres/PG_VERSION');
      assert.deepEqual([unpacking.code, leftIn(temp)], [1, []], unpacking.said);
      assert.equal(unpacking.said, 'carepost: stopped by SIGINT; the copy was removed\n');
      const recovering = await cutOff('SIGTERM', 'postgres/postmaster.pid');
      assert.deepEqual([recovering.code, leftIn(temp)], [1, []], recovering.said);
      const running = await cutOff('SIGTERM', 'run/.s.PGSQL.5432');
      assert.deepEqual([running.code, leftIn(temp)], [1, []], running.said);
      assert.equal(running.said, 'carepost: stopped by SIGTERM; the copy was removed\n');
      assert.equal((await tests()).length, 1, 'that says nothing about the backup');
    },
  );

  const [kept] = await query<{ id: string }>(foreign.url, 'select id from blobs where customer_id = 0');
  await withConnection(foreign.url, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(`update messages set envelope = ${flipped('envelope')}`);
    await client.query(`update submissions set sealed = ${flipped('sealed')} where id = $1`, [unreadable.id]);
    await client.query('update blobs set sha256 = sha256(sha256) where id = any($1)', [[unlike.blob, kept?.id]]);
    await client.query('delete from customer_keys where customer_id = $1', [keyless.id]);
    await client.query('delete from audit_checkpoints');
    await client.query(
      `update audit_log set action = 'other' where id = (select audit_id from audit_chain where customer_id = $1 and seq = 2)`,
      [busy.id],
    );
    await client.query('update audit_heads set seq = 2 where customer_id = $1', [keyless.id]);
    // The end of a log is taken away as a whole.
    await client.query(
      `with gone as (delete from audit_chain where customer_id = $1 and seq > 2 returning audit_id)
       delete from audit_log where id in (select audit_id from gone)`,
      [shortened.id],
    );
    await client.query(
      `update audit_heads h set seq = c.seq, hash = c.hash from audit_chain c
       where h.customer_id = $1 and c.customer_id = $1 and c.seq = 2`,
      [shortened.id],
    );
    // A log is taken away, and is said to be over.
    for (const table of ['audit_log', 'audit_chain', 'audit_heads', 'audit_signed_heads'])
      await client.query(`delete from ${table} where customer_id = $1`, [erased.id]);
    await client.query(`insert into audit_cuts values ($1, 1000000, '', 6, '', '')`, [erased.id]);
    // The last thing that a backup writes is lost.
    await client.query(`create function forget() returns trigger language plpgsql as $$ begin
      update backup_runs set marked_at = null where id = new.id; return null; end $$`);
    await client.query(`create trigger forget after update of marked_at on backup_runs
      for each row when (new.marked_at is not null) execute function forget()`);
  });
  assert.equal((await back()).number, 2);

  await t.test('a data directory whose log ends early is told of where it is first worked on', async (within) => {
    const elsewhere = join(folder, 'elsewhere');
    const { code, err } = await carepost([...where, '--same-store', '--pgdata', join(elsewhere, 'postgres')]);
    assert.deepEqual([code, err], [0, '']);
    const mark = join(dataDir, 'restored.json');
    assert.equal((await carepost(['customer', 'list'])).code, 0);
    assert.ok(existsSync(mark), 'the old server says nothing about the new one');
    const url = await startRestored(within, elsewhere, foreign.url);
    const there = { CAREPOST_DATABASE_URL: url };
    const first = await carepost(['customer', 'list'], there);
    assert.deepEqual(
      [first.code, first.err],
      [0, 'carepost: the log of the restored backup ends early: restore it again\n'],
    );
    assert.ok(!existsSync(mark));
    assert.deepEqual(await query(url, `select ok from backup_runs where kind = 'restore'`), [{ ok: false }]);
    const { json } = await carepost(['doctor', '--only', 'backup'], there);
    const warnings = json.findings.filter(({ state }: { state: string }) => state === 'warning');
    assert.equal(warnings.length, 1, JSON.stringify(json));
    assert.match(warnings[0].found, /^the restore of \S+ did not bring everything back$/);
  });

  flip(copyOf(to, altered.blob));
  rmSync(copyOf(to, removed.blob));

  await t.test('every record, file and chain that is not as it was is named', async () => {
    const { code, err, json } = await verify();
    assert.deepEqual([code, err], [1, '']);
    assert.deepEqual(
      json.faults.toSorted(),
      [
        'the log of the backup ends early',
        `messages.envelope of ${messageId} cannot be opened`,
        `submission ${unreadable.id} cannot be opened`,
        `the keys of customer ${keyless.id} are missing`,
        `audit of customer ${busy.id}, row 2: the row or its link was changed`,
        `audit of customer ${keyless.id}, row 2: the chain differs from its head`,
        `audit of customer ${keyless.id}: differs from the manifest`,
        `audit of customer ${shortened.id}: differs from the manifest`,
        `audit of customer ${erased.id}, row 1: the beginning was cut off, and no valid signature says so`,
        `blob ${unlike.blob} is not what its row says`,
        `blob ${kept?.id} is not what its row says`,
        `the backup is damaged: blob ${altered.blob} was altered`,
        `blob ${altered.blob} is missing or cannot be opened`,
        `the backup is damaged: blob ${removed.blob} is missing`,
        `blob ${removed.blob} is missing or cannot be opened`,
      ].toSorted(),
    );
    assert.deepEqual((await tests())[0], { ok: false, read: true });
  });

  await t.test('one that cannot even be unpacked or read is a test that failed', async () => {
    truncateSync(join(to, 'chains', backup, '000001.base.0001'), 1000);
    const cut = await verify();
    assert.deepEqual([cut.code, cut.err, cut.json?.faults.length], [1, '', 1]);
    assert.match(cut.json.faults[0], /^the backup is damaged: \w+\/000001\.base\.0001 has 1000 bytes instead of /);
    rmSync(join(to, 'chains', backup, '000001.manifest'));
    const unreadableNow = await verify();
    assert.deepEqual([unreadableNow.code, unreadableNow.json], [1, null]);
    assert.match(unreadableNow.err, /^carepost: the backup is damaged: \S*000001\.manifest is missing/);
    assert.deepEqual((await tests()).slice(0, 3), [
      { ok: false, read: false },
      { ok: false, read: true },
      { ok: false, read: true },
    ]);
  });
});
