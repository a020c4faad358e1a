import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BlobMissing, type BlobStore } from '../../src/platform/blob/blob-store.ts';
import { openBlobStore } from '../../src/platform/blob/open-blob-store.ts';
import { BUCKET, startS3 } from './s3-wire.ts';
import { collect, from, listIds } from './wires.ts';

const MULTIPART = 6 * 1024 * 1024;
let folder: string;
let s3: Awaited<ReturnType<typeof startS3>>;
let store: BlobStore;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carepost-s3-'));
  s3 = await startS3(folder);
  store = await openBlobStore(s3.url);
});
after(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

async function* cutAfter(bytes: Uint8Array, cut: () => void): AsyncGenerator<Uint8Array> {
  yield* from(bytes);
  cut();
  throw new Error('cable cut');
}

test('what others keep in the bucket is neither listed nor removed', async () => {
  const ours = randomUUID();
  await store.write(ours, from(randomBytes(10)));
  for (const key of ['readme', `carepost/${randomUUID()}`, 'carepost/files/readme', randomUUID()]) {
    const elsewhere = await openBlobStore(s3.url.replace('carepost/files', `carepost/files/${randomUUID()}`));
    await elsewhere.write(randomUUID(), from(randomBytes(10)));
    const upload = join(s3.uploads, randomBytes(8).toString('hex'));
    await mkdir(upload, { recursive: true });
    await writeFile(join(upload, 'key'), key);
  }
  assert.deepEqual(await listIds(store), [ours]);
  assert.equal(await store.removeUnfinished(new Date(Date.now() + 3_600_000)), 0);
  assert.equal((await s3.pendingUploads()).length, 4);
  await rm(s3.uploads, { recursive: true });
});

test('a prefix ends in one slash, and is not needed', async () => {
  const id = randomUUID();
  await store.write(id, from(randomBytes(10)));
  assert.equal(await (await openBlobStore(s3.url.replace('files?', 'files/?'))).size(id), 10);
  const whole = await openBlobStore(s3.url.replace('/carepost/files', ''));
  await whole.write(id, from(randomBytes(20)));
  assert.deepEqual(await listIds(whole), [id]);
  assert.equal(await whole.size(id), 20);
  assert.equal(await store.size(id), 10);
});

test('a bucket that is not there is not taken for a missing blob', async () => {
  const lost = await openBlobStore(s3.url.replace(`@${BUCKET}/`, '@nowhere/'));
  await assert.rejects(collect(lost.read(randomUUID())), { name: 'NoSuchBucket' });
  await assert.rejects(collect(store.read(randomUUID())), BlobMissing);
});

test('the error of the source is told even where the upload cannot be aborted', async () => {
  const source = cutAfter(randomBytes(MULTIPART), () => s3.refuse('DELETE'));
  await assert.rejects(store.write(randomUUID(), source), { message: 'cable cut' });
  s3.refuse('');
  assert.equal((await s3.pendingUploads()).length, 1);
  assert.equal(await store.removeUnfinished(new Date(Date.now() + 3_600_000)), 1);
  assert.deepEqual(await s3.pendingUploads(), []);
});

test('a source is closed when the store fails', async () => {
  let closed = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield randomBytes(100_000);
    } finally {
      closed++;
    }
  }
  s3.refuse('PUT');
  await assert.rejects(store.write(randomUUID(), endless()), { name: 'AccessDenied' });
  s3.refuse('');
  assert.equal(closed, 1);
  assert.deepEqual(await s3.pendingUploads(), []);
});

test('a check fails where nothing can be written or removed, and leaves nothing', async () => {
  const others = await readdir(folder, { recursive: true });
  await store.check();
  assert.deepEqual(await readdir(folder, { recursive: true }), others);
  for (const method of ['PUT', 'DELETE']) {
    s3.refuse(method);
    await assert.rejects(store.check(), { name: 'AccessDenied' });
  }
  s3.refuse('');
});

test('a bucket is named in the path where the URL asks for it', async () => {
  await (await openBlobStore(s3.url.replace('127.0.0.1', 'localhost'))).check();
});

test('the environment gives the key where the URL has none', async () => {
  const keyless = await openBlobStore(s3.url.replace('S3RVER:S3RVER@', ''));
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
  await keyless.check();
});
