import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import {
  INSTALLATION,
  loadSigningKey,
  recordAgreement,
  SignatureBroken,
  setHold,
  verifyAudit,
} from '../../src/accounts/index.ts';
import { checkpointFileOf } from '../../src/installation.ts';
import { destroyCustomer, verifyCustomerDestruction } from '../../src/operations/destroy-customer/index.ts';
import { RECORDS } from '../../src/operations/records.ts';
import type { BlobStore } from '../../src/platform/blob/blob-store.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { requireOwn } from '../../src/platform/http/ownership.ts';
import { blobFiles } from '../submissions/submitting.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createMovableClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner, createOwner, type Owner } from '../support/owner.ts';
import { testExport } from './export-tests.ts';

const DAY = 24 * 3600_000;
/** What comes and goes by itself. */
const PASSING = /^(audit_|domain_paces|drip_facts)/;

const clock = createMovableClock();
let app: TestApp;
let worker: Database;
let owner: Owner;
let other: Owner;
let folder: string;
before(async (t) => {
  app = await startApp(t as TestContext, { clock, env: { CAREPOST_ROLES: 'http,worker' } });
  worker = openDatabase(app.installation, 'worker', 1);
  (t as TestContext).after(() => worker.close());
  folder = mkdtempSync(join(tmpdir(), 'carepost-export-'));
  (t as TestContext).after(() => rmSync(folder, { recursive: true }));
  owner = await createOwner(app);
  other = await createOwner(app);
  // What was only made up.
  await asOwner(app, async (client) => {
    for (const table of ['key_destructions', 'audit_cuts'])
      await client.query(`delete from ${table} where customer_id = any($1)`, [[owner.id, other.id]]);
  });
});

testExport(() => ({ app, owner, other, clock, folder }));

async function destroy(wish: { reason: string | null }, blobStore: BlobStore = app.installation.blobStore) {
  const { installation } = app;
  const signingKey = await loadSigningKey(installation);
  const deps = { ...installation, workerDb: worker, blobStore, signingKey, backupDays: 35 };
  return destroyCustomer(deps, app.act(owner.id, 'customer.destroyed'), wish);
}

/** How many rows of a customer each table has, and those in which a word stands. */
async function rowsOf(customerId: number, word: string): Promise<Map<string, { rows: number; telling: number }>> {
  const found = new Map<string, { rows: number; telling: number }>();
  await asOwner(app, async (client) => {
    const { rows: tables } = await client.query(`select c.oid::regclass::text as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_id'
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`);
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select count(*) as rows, count(*) filter (where t::text like '%' || $2 || '%') as telling
         from ${name} t where customer_id = $1`,
        [customerId, word],
      );
      found.set(name, { rows: Number(rows[0].rows), telling: Number(rows[0].telling) });
    }
  });
  return found;
}

/** The tables in whose files each word stands, once they are written anew without what was removed. */
async function filesTelling(words: string[]): Promise<string[][]> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(`select c.oid::regclass::text as name from pg_class c
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_relation_size(c.oid) > 0 order by 1`);
    const telling: string[][] = words.map(() => []);
    for (const { name } of rows) {
      await client.query(`vacuum full ${name}`);
      const { rows: found } = await client.query(
        `select position(convert_to(word, 'utf8') in pg_read_binary_file(pg_relation_filepath($2::regclass))) > 0 as yes
         from unnest($1::text[]) with ordinality as w (word, n) order by n`,
        [words, name],
      );
      for (const [index, { yes }] of found.entries()) if (yes) telling[index]?.push(name);
    }
    return telling;
  });
}

test('every kind of record is known, so that a new table cannot be forgotten', async () => {
  const tables = [...(await rowsOf(owner.id, owner.mark)).keys()];
  assert.deepEqual(RECORDS.map(({ table }) => table).toSorted(), tables.toSorted());
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'retention.md'), 'utf8');
  assert.deepEqual(
    tables.filter((table) => !page.includes(`\`${table}\``)),
    [],
    'docs/retention.md tells how long each is kept',
  );
});

test('a hold keeps the customer from being destroyed, and even from being closed', async () => {
  const keys = await app.installation.vault.of(owner.id);
  const act = app.act(owner.id, 'hold.set');
  const { db } = app.installation;
  const deps = { clock, keys, act, requireOwn };
  await db.tenant([owner.id], (tx) => setHold(tx, deps, { kind: 'message', target: owner.messageId }, 'A claim'));
  await assert.rejects(destroy({ reason: 'asked for' }), /legal hold/);
  await asOwner(app, (client) =>
    client.query(`update legal_holds set released_at = now(), release = '' where customer_id = $1`, [owner.id]),
  );
});

test('first it is closed, and everything under way stops', async () => {
  const destroyed = await destroy({ reason: null });
  assert.ok('notBefore' in destroyed);
  assert.equal(destroyed.notBefore.getTime(), clock.now().getTime() + 30 * DAY);
  const left = await asOwner(app, async (client) => {
    const counts = {
      scheduled: `message_recipients where state = 'queued'`,
      webhooks: 'webhook_endpoints where active',
      imports: `imports where state in ('waiting', 'running')`,
      keys: 'api_keys where revoked_at is null',
      people: 'users where disabled_at is null',
      sends: `campaign_mailing_sends where state in ('scheduled', 'preparing', 'sending')`,
    };
    const found: Record<string, number> = {};
    for (const [name, from] of Object.entries(counts)) {
      const { rowCount } = await client.query(`select from ${from} and customer_id = $1`, [owner.id]);
      found[name] = rowCount ?? 0;
    }
    return found;
  });
  assert.deepEqual(left, { scheduled: 0, webhooks: 0, imports: 0, keys: 0, people: 0, sends: 0 });
  await eventually(async () => (await app.request('GET', '/v1/forms/api/forms', { key: owner.key })).status === 401);
  clock.advance(29 * DAY);
  assert.ok('notBefore' in (await destroy({ reason: null })), 'not a day too early');
  clock.advance(2 * DAY);
});

test('stopped half way it goes on, and leaves nothing but what is to stay; others keep all they had', async () => {
  const earlier = await rowsOf(other.id, other.mark);
  const filesBefore = blobFiles(app);
  let removals = 0;
  const failing: BlobStore = {
    ...app.installation.blobStore,
    remove: async (id) => {
      removals += 1;
      if (removals === 2) throw new Error('the machine is gone');
      await app.installation.blobStore.remove(id);
    },
  };
  await assert.rejects(destroy({ reason: null }, failing), /the machine is gone/);
  await assert.rejects(app.installation.vault.of(owner.id), /destroyed/, 'the keys went first');
  const destroyed = await destroy({ reason: null });
  assert.ok('certificate' in destroyed);

  const outliving = new Set(RECORDS.filter(({ outlives }) => outlives !== undefined).map(({ table }) => table));
  const after = await rowsOf(owner.id, owner.mark);
  for (const [table, { rows }] of after) {
    if (!outliving.has(table) || table === 'blobs') assert.equal(rows, 0, `${table} has rows left`);
  }
  const [telling = [], ofOther = []] = await filesTelling([owner.mark, other.mark]);
  assert.deepEqual(
    telling.filter((table) => !outliving.has(table.replace(/_(\d{4}_\d\d|other)$/, ''))),
    [],
  );
  assert.ok(ofOther.length > 20, 'of the other the same look finds a lot');
  assert.ok(blobFiles(app).length < filesBefore.length);

  const untouched = await rowsOf(other.id, other.mark);
  for (const [table, { rows }] of earlier) {
    if (!PASSING.test(table)) assert.ok((untouched.get(table)?.rows ?? 0) >= rows, `${table} of the other`);
  }
  assert.equal(
    (await app.request('GET', `/api/forms/${other.formIds[0]}/submissions/${other.submissionIds[0]}`, other)).status,
    200,
  );
});

test('the certificate is checked without the product, the audit log still verifies, and there is no way back', async () => {
  const again = await destroy({ reason: null });
  assert.ok('certificate' in again);
  const bytes = Buffer.from(JSON.stringify(again.certificate));
  const { contents } = verifyCustomerDestruction(bytes, null);
  assert.equal(contents.customerId, owner.id);
  const { submissions, messages, subscribers, blobs } = contents.removed;
  assert.ok([submissions, messages, subscribers, blobs].every((count) => count !== undefined && count > 0));
  const changed = Buffer.from(bytes.toString().replace('"submissions":', '"submission":'));
  assert.throws(() => verifyCustomerDestruction(changed, null), SignatureBroken);

  const { db, config, blobs: files } = app.installation;
  const sealer = openDatabase(app.installation, 'sealer', 1);
  const signingKey = await loadSigningKey(app.installation);
  const report = await verifyAudit({ db: sealer, signingKey, checkpointFile: checkpointFileOf(config.dataDir) });
  await sealer.close();
  assert.deepEqual(report.faults, []);
  const { rows } = await asOwner(app, (client) =>
    client.query('select pdf_blob_id from agreements where customer_id = $1 and pdf_blob_id is not null', [owner.id]),
  );
  for (const { pdf_blob_id: id } of rows) {
    const pdf = Buffer.concat(await Array.fromAsync(files.read(INSTALLATION, id)));
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  }
  assert.ok(rows.length > 0, 'the signed agreement is readable');
  const signing = { version: '1', signer: 'Test', signedOn: '2020-01-01', endsOn: null, pdf: null };
  await assert.rejects(
    recordAgreement(app.installation, app.act(owner.id, 'agreement.recorded'), signing),
    /destroyed/,
  );
  await assert.rejects(
    db.tenant([owner.id], async (tx) => tx.updateTable('customer_destructions').set({ counts: {} }).execute()),
    /stays as it is/,
  );
});
