import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import papaparse from 'papaparse';
import { makeDueReviews } from '../../src/accounts/index.ts';
import type { Command } from '../../src/cli/command.ts';
import { evidencePack, evidenceVerifyPack } from '../../src/cli/commands/evidence-pack.ts';
import { recordRun } from '../../src/operations/backup/index.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { openAccount, openBrowser, PASSWORD } from '../sign-in/visitor.ts';
import { submitted } from '../submissions/submitting.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { runProcess } from '../support/command-line.ts';
import { addForm } from '../support/forms.ts';

type Row = Record<string, string | number | boolean | null>;

const DAY = 24 * 3600_000;
const planted: string[] = [];

function plant(what: string): string {
  const word = `planted-${what}-${randomUUID()}`;
  planted.push(word);
  return word;
}

function newIncident() {
  const words = ['what_happened', 'information', 'steps', 'doing', 'contact'];
  return {
    discovered_at: new Date(Date.now() - 60_000).toISOString(),
    breach_from: null,
    breach_to: null,
    severity: 'high',
    scope: null,
    ...Object.fromEntries(words.map((word) => [word, plant(word)])),
  };
}

/** A clinic in which everything has happened that a pack tells of, with words that it must not tell. */
async function openClinic(t: TestContext) {
  const app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const clinic = await app.createCustomer();
  const other = await app.createCustomer({ agreement: false });
  const owner = await openAccount(app, clinic, 'owner');
  const browser = openBrowser(app);
  await browser.ask('POST', '/sign_in', { email: owner.email, password: 'not the one' });
  await browser.ask('POST', '/sign_in', { email: owner.email, password: PASSWORD });
  await browser.ask('POST', '/sign_in/recovery', { code: owner.codes[0] });
  const operator = await openAccount(app, null, 'operator');
  await app.createKey(other, ['email'], { expiresAt: new Date('2099-01-01') });

  const formId = await addForm(app, clinic.id, { title: plant('title') });
  const answers = { form_data: { pain: plant('answer') }, submitter_email: `${plant('patient')}@example.com` };
  const kept = await submitted(app, formId, answers);
  const gone = await submitted(app, formId, answers);
  const base = '/v1/forms/api/forms';
  await app.request('DELETE', `${base}/${formId}/submissions/${gone}`, { key: clinic.key });
  await app.request('GET', `${base}/${formId}/submissions/${kept}`, { key: clinic.key });
  const message = {
    recipients: [`${plant('recipient')}@example.com`],
    headers: { from: 'clinic@example.org', subject: plant('subject') },
    content: { 'text/plain': plant('text') },
  };
  await app.request('POST', '/v1/email/messages', { key: clinic.key, body: { data: { message } } });
  const subscriber = { email: `${plant('subscriber')}@example.com`, first_name: plant('name') };
  await app.request('POST', '/v1/marketing/api/subscribers', { key: clinic.key, body: { subscriber } });

  const done = [
    await operator.visitor.ask('POST', '/operator/break_glass', {
      customer_id: clinic.id,
      reason: plant('reason'),
      minutes: 30,
    }),
    await owner.visitor.ask('POST', '/incidents', newIncident()),
    await owner.visitor.ask('POST', '/holds', {
      kind: 'person',
      email: `${plant('held')}@example.com`,
      reason: plant('hold'),
    }),
  ];
  for (const { status, text } of done) assert.equal(status, 201, text);
  const { db } = app.installation;
  const now = new Date();
  await recordRun(
    { db, clock: { now: () => now } },
    { kind: 'verify', startedAt: new Date(now.getTime() - 90_000), ok: true, bytes: 7, lsn: '0/1' },
  );
  await makeDueReviews({ db, clock: { now: () => new Date(now.getTime() + 31 * DAY) } });
  return { app, clinic, other, owner, operator, formId };
}

function commandLine({ installation }: TestApp) {
  const { dataDir, masterKeyFile } = installation.config;
  const env = {
    CAREPOST_DATABASE_URL: installation.ownerUrl,
    CAREPOST_DATA_DIR: dataDir,
    CAREPOST_MASTER_KEY_FILE: masterKeyFile,
    CAREPOST_RELAY_URL: `smtp://sender:${plant('password')}@relay.example:587`,
    CAREPOST_BLOB_URL_FILE: join(dataDir, 'blob-url'),
  };
  writeFileSync(env.CAREPOST_BLOB_URL_FILE, `file://${join(dataDir, 'blobs')}`);
  return (...args: string[]) => runProcess(args, env);
}

/** The same command in this process, which takes a tenth of the time. */
async function call(app: TestApp, command: Command, options: Record<string, string>, given = '') {
  return command.run({ config: app.installation.config, options, flags: new Set(), given });
}

function readTable(folder: string, name: string): Row[] {
  const { rows } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { rows: Row[] };
  return rows;
}

test('a pack tells of a period what auditors ask for, and nothing of patients', async (t) => {
  const { app, clinic, other, owner, operator, formId } = await openClinic(t);
  const run = commandLine(app);
  const folder = join(app.installation.config.dataDir, 'pack');
  const today = new Date().toISOString().slice(0, 10);
  await run('vault', 'rotate', '--customer', String(clinic.id));
  await withConnection(app.installation.ownerUrl, (client) =>
    client.query(`update api_keys set created_at = now() - interval '100 days' where customer_id = $1`, [other.id]),
  );
  const later = new Date(Date.now() + 60 * DAY).toISOString().slice(0, 10);
  const period = ['--from', today, '--to', later];
  const made = await run('evidence', ...period, '--out', folder, '--json');
  assert.deepEqual([made.code, made.err], [0, '']);

  await t.test('people with their roles, and how many have a second factor', () => {
    const people = readTable(folder, 'people');
    const found = people.find(({ email }) => email === owner.email);
    assert.deepEqual(
      [found?.customer, found?.role, found?.state, found?.second_factor],
      [clinic.username, 'owner', 'active', true],
    );
    assert.ok(Date.parse(String(found?.last_sign_in)) > Date.now() - 600_000);
    assert.equal(people.find(({ email }) => email === operator.email)?.customer, 'installation');
    const coverage = readTable(folder, 'second-factors').find(({ customer }) => customer === clinic.username);
    assert.deepEqual(coverage, {
      customer: clinic.username,
      active_people: 1,
      with_app: 1,
      with_passkey: 0,
      without: 0,
      coverage_percent: 100,
    });
  });

  await t.test('keys with their scopes and use, and a list of all access to be confirmed', () => {
    const keys = readTable(folder, 'api-keys').filter(({ customer }) => customer === other.username);
    assert.deepEqual(
      keys
        .map(({ scopes, expires, revoked }) => ({ scopes, expires, revoked }))
        .toSorted((one) => (one.expires === null ? 1 : -1)),
      [
        { scopes: 'email', expires: '2099-01-01T00:00:00.000Z', revoked: null },
        { scopes: 'forms email marketing', expires: null, revoked: null },
      ],
    );
    const list = readTable(folder, 'recertification');
    const unused = list.filter(({ customer, kind }) => customer === other.username && kind === 'key');
    assert.deepEqual(unused.map(({ look_at }) => String(look_at)).toSorted(), [
      'not used for 100 days; belongs to no person',
      'not used for 100 days; has no end; belongs to no person',
    ]);
    assert.ok(
      list.every(({ keep, decided_by, decided_on }) => keep === null && decided_by === null && decided_on === null),
    );
    assert.equal(list.find(({ who }) => who === owner.email)?.look_at, '');
  });

  await t.test('sign-ins that passed and failed, and acts by kind', () => {
    const days = readTable(folder, 'sign-ins').filter(({ customer }) => customer === clinic.username);
    assert.deepEqual(days, [{ customer: clinic.username, day: today, passed: 1, failed: 1 }]);
    const acts = readTable(folder, 'acts').filter(({ customer }) => customer === clinic.username);
    const read = acts.find(({ action }) => action === 'submission.read');
    assert.deepEqual([read?.actor_kind, read?.acts, read?.actors], ['key', 1, 1]);
  });

  await t.test('the audit log verified, with the heads of its chains', () => {
    const [verified] = readTable(folder, 'audit-verification');
    assert.equal(verified?.result, 'no fault');
    assert.ok(Number(verified?.rows_checked) > 5);
    const head = readTable(folder, 'audit-heads').find(({ customer }) => customer === clinic.username);
    assert.match(String(head?.sha256), /^[0-9a-f]{64}$/);
  });

  await t.test('agreements, versions of keys, what is kept how long and what was destroyed', () => {
    const agreements = readTable(folder, 'agreements');
    assert.deepEqual(
      agreements.map(({ customer, in_force }) => ({ customer, in_force })),
      [{ customer: clinic.username, in_force: true }],
    );
    const keys = readTable(folder, 'encryption-keys').filter(({ customer }) => customer === clinic.username);
    assert.deepEqual(
      keys.map(({ version, seals }) => ({ version, seals })),
      [
        { version: 1, seals: false },
        { version: 2, seals: true },
      ],
    );
    assert.deepEqual(
      readTable(folder, 'retention').map(({ form, days }) => ({ form, days })),
      [{ form: formId, days: null }],
    );
    const [destroyed] = readTable(folder, 'destructions');
    assert.deepEqual([destroyed?.form, destroyed?.submissions, destroyed?.reason], [formId, 1, 'request']);
  });

  await t.test('backups, emergency access, reviews, incidents and legal holds', () => {
    const [backup] = readTable(folder, 'backups');
    assert.deepEqual([backup?.kind, backup?.seconds, backup?.succeeded], ['verify', 90, true]);
    const [grant] = readTable(folder, 'break-glass');
    assert.deepEqual([grant?.customer, grant?.operator, grant?.state], [clinic.username, operator.email, 'asked']);
    const review = readTable(folder, 'activity-reviews').find(({ customer }) => customer === clinic.username);
    assert.deepEqual([review?.state, review?.signed, typeof review?.findings], ['open', null, 'number']);
    const [incident] = readTable(folder, 'incidents');
    assert.deepEqual([incident?.customer, incident?.severity, incident?.state], [clinic.username, 'high', 'open']);
    const [hold] = readTable(folder, 'legal-holds');
    assert.deepEqual([hold?.keeps, hold?.target, hold?.released], ['person', null, null]);
  });

  await t.test('settings without secrets, versions, and all libraries', () => {
    const settings = new Map(readTable(folder, 'settings').map(({ setting, value }) => [setting, value]));
    assert.equal(settings.get('CAREPOST_RELAY_URL'), 'smtp://relay.example:587');
    assert.doesNotMatch(String(settings.get('CAREPOST_DATABASE_URL')), /@/);
    assert.equal(settings.get('CAREPOST_DELIVERY'), 'sandbox');
    const inFile = readTable(folder, 'settings').find(({ setting }) => setting === 'CAREPOST_BLOB_URL');
    assert.deepEqual([inFile?.set, inFile?.value], [true, '(from a file)']);
    const versions = readTable(folder, 'versions');
    assert.equal(versions.find(({ part }) => part === 'Node.js')?.version, process.versions.node);
    assert.match(String(versions.find(({ part }) => part === 'PostgreSQL')?.version), /^\d+\./);
    assert.equal(versions.filter(({ part }) => String(part).startsWith('process on')).length, 1);
    assert.match(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'), /"bomFormat": "CycloneDX"/);
    assert.equal(readTable(folder, 'doctor').find(({ check }) => check === 'database')?.state, 'ok');
  });

  await t.test('every table as JSON, as CSV with the same rows, and in a page that runs and loads nothing', () => {
    const names = readdirSync(folder);
    const tables = names.filter((name) => name.endsWith('.csv')).map((name) => name.slice(0, -4));
    assert.ok(tables.length >= 14);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    for (const name of tables) {
      const csv = papaparse.parse<Row>(readFileSync(join(folder, `${name}.csv`), 'utf8').trimEnd(), { header: true });
      assert.equal(csv.data.length, readTable(folder, name).length, name);
      assert.ok(page.includes(`<section id="${name}">`), name);
    }
    assert.doesNotMatch(page, /<script|<img|<link|src=|href="https?:|url\(|\son\w+=/);
    for (const name of names) assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
  });

  await t.test('nothing of what patients and senders wrote, and no password', () => {
    const all = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    assert.ok(all.join('').includes(owner.email), 'what may be told is found by this search');
    for (const word of planted) assert.ok(!all.some((text) => text.includes(word)), word);
  });

  await t.test('the making of a pack stands in the log of everybody it is about', async () => {
    const rows = await withConnection(app.installation.ownerUrl, (client) =>
      client.query(`select customer_id, actor_kind from audit_log where action = 'evidence.pack-written' order by 1`),
    );
    assert.deepEqual(
      rows.rows.map((row: { customer_id: number }) => row.customer_id),
      [0, clinic.id, other.id],
    );
  });

  await t.test('a pack is genuine, and not once anything of it was changed, taken away or added', async () => {
    const key = String(JSON.parse(made.out).key);
    const genuine = await run('evidence', 'verify-pack', folder, '--key', `${'ab'.repeat(32)},${key.toUpperCase()}`);
    assert.deepEqual([genuine.code, genuine.err], [0, '']);
    assert.match(genuine.out, /^GENUINE: evidence of .*\nSigned with the key [0-9a-f]{64}\n$/);
    assert.match((await call(app, evidenceVerifyPack, {}, folder))?.text ?? '', /The key was NOT compared/);
    const broken: [(copy: string) => void, string, Record<string, string>][] = [
      [(copy) => appendFileSync(join(copy, 'people.csv'), 'x'), 'people.csv was changed', {}],
      [(copy) => rmSync(join(copy, 'SHA256SUMS')), 'SHA256SUMS is missing', {}],
      [(copy) => writeFileSync(join(copy, 'more.txt'), ''), 'there is a file that does not belong to the pack', {}],
      [(copy) => rename(copy, clinic.username, 'nobody'), 'the signature does not fit it', {}],
      [(copy) => writeFileSync(join(copy, 'manifest.json'), '{}'), 'the file is no manifest of evidence', {}],
      [() => undefined, 'it was signed with another key than the one given', { key: 'ab'.repeat(32) }],
    ];
    for (const [damage, fault, more] of broken) {
      const copy = `${folder}-copy`;
      cpSync(folder, copy, { recursive: true });
      damage(copy);
      const found = await call(app, evidenceVerifyPack, more, copy);
      rmSync(copy, { recursive: true });
      assert.deepEqual([found?.failed, found?.text], [true, `NOT PROVED: ${fault}`]);
    }
  });

  await t.test('of one customer alone it tells nothing of the others', async () => {
    const alone = `${folder}-alone`;
    await call(app, evidencePack, { from: today, to: today, customer: String(other.id), out: alone });
    const text = readdirSync(alone)
      .map((name) => readFileSync(join(alone, name), 'utf8'))
      .join('');
    assert.ok(text.includes(other.username));
    for (const foreign of [clinic.username, owner.email, operator.email, formId]) assert.ok(!text.includes(foreign));
  });

  await t.test('an audit log that was tampered with is told', async () => {
    await withConnection(app.installation.ownerUrl, async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(`update audit_log set actor_id = 'somebody else' where action = 'submission.read'`);
    });
    const changed = `${folder}-changed`;
    await call(app, evidencePack, { from: today, to: today, out: changed });
    const faults = readTable(changed, 'audit-verification').map(({ result }) => result);
    assert.deepEqual(faults, ['the row or its link was changed']);
  });

  await t.test('checkpoints are counted by day, however many there are, with those that are not signed', async () => {
    await withConnection(app.installation.ownerUrl, (client) =>
      client.query(
        'insert into audit_checkpoints select 1000000 + n, case when n = 1 then $1 else $2 end from generate_series(1, 2501) n',
        ['2001-01-01T00:00:00.000Z', new Date().toISOString()].map((at) =>
          JSON.stringify({ number: 1, at, heads: [] }),
        ),
      ),
    );
    const counted = `${folder}-counted`;
    await call(app, evidencePack, { from: today, to: today, out: counted });
    const days = readTable(counted, 'audit-checkpoints');
    assert.deepEqual(
      days.map(({ day, last_number, not_valid }) => ({ day, last_number, not_valid })),
      [{ day: today, last_number: 1_002_501, not_valid: 2500 }],
    );
  });

  const refused = async (options: Record<string, string>, told: string) =>
    assert.rejects(async () => call(app, evidencePack, options), { message: told });
  await t.test('mistakes are told in one line', async () => {
    mkdirSync(`${folder}-full`);
    writeFileSync(join(`${folder}-full`, 'mine.txt'), 'mine');
    const days = { from: today, to: today };
    await refused({ from: today }, '--to is required');
    await refused({ ...days, from: '2026-02-30' }, '--from takes a day such as 2027-01-31');
    await refused({ from: today, to: '2026-01-01' }, '--to takes a day that is not before --from');
    await refused(days, '--out is required');
    const notEmpty = 'The folder has to be empty or not there yet, in a folder that is';
    await refused({ ...days, out: `${folder}-full` }, notEmpty);
    await refused({ ...days, out: join(folder, 'not', 'there') }, notEmpty);
    await refused({ ...days, out: `${folder}-none`, customer: '999999' }, 'No such customer');
  });
});

function rename(copy: string, from: string, to: string): void {
  const file = join(copy, 'manifest.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}
