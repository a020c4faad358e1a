import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { moveBlobs } from '../../src/operations/move/index.ts';
import type { BlobStore } from '../../src/platform/blob/blob-store.ts';
import { openBlobStore } from '../../src/platform/blob/open-blob-store.ts';
import { withConnection } from '../../src/platform/db/pool.ts';
import { startS3 } from '../blob/s3-wire.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { type Ended, runHere } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';

const SIZE = 400_000;
const ATTACHMENT = randomBytes(SIZE).toString('base64');
const FILES = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'];

let app: TestApp;
let s3: Awaited<ReturnType<typeof startS3>>;
let store: BlobStore;
let env: Record<string, string>;
let key: string;

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(source));
}

/** What came with the mail in the sandbox, which is read from the store. */
async function attachmentsAt({ request }: TestApp): Promise<{ fileName: string }[]> {
  const { body } = await request('GET', '/v1/email/sandbox/messages', { key });
  const all: { fileName: string }[] = body.data.flatMap((mail: { attachments: object[] }) => mail.attachments);
  return all.toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1));
}

const idsIn = async (each: BlobStore) => (await Array.fromAsync(each.list())).map(({ id }) => id).toSorted();
const move = (to = s3.url): Promise<Ended> => runHere(['blobs', 'move', '--to', to], env);

before(async (context) => {
  const t = context as TestContext;
  const folder = mkdtempSync(join(tmpdir(), 'carepost-s3-'));
  s3 = await startS3(folder);
  t.after(async () => {
    await s3.stop();
    rmSync(folder, { recursive: true });
  });
  app = await startApp(t, { env: { CAREPOST_ROLES: 'http,worker' } });
  const { ownerUrl, config, blobStore } = app.installation;
  env = {
    CAREPOST_DATABASE_URL: ownerUrl,
    CAREPOST_DATA_DIR: config.dataDir,
    CAREPOST_MASTER_KEY_FILE: config.masterKeyFile,
  };
  store = blobStore;
  ({ key } = await app.createCustomer());
  for (const fileName of FILES) {
    const message = {
      recipients: ['ann@example.com'],
      headers: { from: 'clinic@example.org', subject: fileName },
      content: { 'text/plain': 'Enclosed.' },
      attachments: [{ fileName, contentType: 'application/pdf', content: ATTACHMENT }],
    };
    const { status, text } = await app.request('POST', '/v1/email/messages', { key, body: { data: { message } } });
    assert.equal(status, 200, text);
  }
  await eventually(async () => (await attachmentsAt(app)).length === FILES.length);
});

test('files are not moved while a server runs, nor to what is no store or the one in use', async () => {
  const words = 'the product still works on this database: stop every node of it first';
  assert.deepEqual(await move(), { code: 1, out: '', err: `carepost: ${words}\n` });
  const wrong = await move('ftp://bucket');
  const rule = '--to takes what CAREPOST_BLOB_URL takes: file:///folder or s3://bucket/prefix';
  assert.equal(wrong.err, `carepost: ${rule}\n`);
  const same = await move(app.installation.config.blobUrl);
  assert.equal(same.err, 'carepost: --to names the store that is in use\n');
});

test('every file is moved to a bucket, also after a try that was cut off, and the product reads them there', async (t) => {
  await app.stop();
  const ids = await idsIn(store);
  assert.ok(ids.length >= 4);
  const { blobUrl, dataDir } = app.installation.config;
  const link = `${dataDir}.link`;
  symlinkSync(fileURLToPath(blobUrl), link);
  t.after(() => rmSync(link));
  for (const same of [`${blobUrl}/`, pathToFileURL(link).href]) {
    assert.equal((await move(same)).err, 'carepost: --to leads to the store that is in use\n');
    assert.deepEqual(await idsIn(store), ids);
  }
  const bucket = await openBlobStore(s3.url);
  const [whole = '', damaged = ''] = ids;
  await bucket.write(whole, store.read(whole));
  const { length } = await readAll(store.read(damaged));
  await bucket.write(damaged, store.read(whole, { start: 0, end: length }));
  const foreign = randomUUID();
  await bucket.write(foreign, store.read(whole));
  const refused = await move();
  const words = `--to holds a file that is not of this installation (${foreign}): name a bucket or prefix of its own`;
  assert.deepEqual(refused, { code: 1, out: '', err: `carepost: ${words}\n` });
  assert.equal((await idsIn(bucket)).length, 3);
  await bucket.remove(foreign);

  const { code, out, err } = await move();
  assert.deepEqual([code, err], [0, '']);
  const [counts, next] = out.split('\n');
  assert.match(
    String(counts),
    new RegExp(`^${ids.length} files with \\d+ bytes are equal in both stores, 1 of them from`),
  );
  assert.match(
    String(next),
    /^Set CAREPOST_BLOB_URL=s3:\/\/S3RVER:SECRET@blobs\/carepost\/files\?endpoint=\S+ on every node/,
  );
  assert.deepEqual(await idsIn(bucket), ids);
  for (const id of ids) assert.deepEqual(await readAll(bucket.read(id)), await readAll(store.read(id)), id);
  const { rows } = await withConnection(app.installation.ownerUrl, (client) =>
    client.query(`select from audit_log where action = 'files.moved'`),
  );
  assert.equal(rows.length, 1);

  const moved = await startApp(t, { beside: app, env: { CAREPOST_BLOB_URL: s3.url } });
  const attachments = await attachmentsAt(moved);
  assert.deepEqual(
    attachments,
    FILES.map((fileName) => ({ fileName, contentType: 'application/pdf', size: SIZE })),
  );
});

test('a store that answers with other bytes than it was given is found out', async () => {
  const bucket = await openBlobStore(s3.url.replace('/carepost/files', '/carepost/elsewhere'));
  const to: BlobStore = {
    ...bucket,
    async *read(id, range) {
      for await (const piece of bucket.read(id, range)) yield piece.map((byte) => byte ^ 1);
    },
  };
  const { ownerUrl } = app.installation;
  await app.stop();
  await assert.rejects(moveBlobs(ownerUrl, { from: store, to }), /^Error: file [0-9a-f-]{36} differs after the copy$/);
});
