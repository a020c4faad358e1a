import assert from 'node:assert/strict';
import { createFindPublicForm, type PublicForm } from '../../src/forms/definition/public-forms.ts';
import { createUploads } from '../../src/forms/uploads/create-uploads.ts';
import { createIncomingBlobs } from '../../src/platform/blob/sealing/incoming-blobs.ts';
import { startSealingThreads } from '../../src/platform/blob/sealing/threads.ts';
import { hashSecret } from '../../src/platform/secret.ts';
import type { Reply, TestApp } from '../support/app.ts';
import { asOwner } from '../support/owner.ts';

const TUS = { 'tus-resumable': '1.0.0' };

/** Upload-Metadata as a client writes it. */
function metadata(told: Record<string, string>): string {
  return Object.entries(told)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export interface Announced {
  length: number | string | null;
  told?: Record<string, string>;
  headers?: Record<string, string>;
  raw?: Buffer;
}

/** Asks for room for a file. */
export function announce(app: TestApp, address: string, { length, told, headers, raw }: Announced): Promise<Reply> {
  return app.request('POST', `/f/${address}/files`, {
    headers: {
      ...TUS,
      ...(length === null ? {} : { 'upload-length': String(length) }),
      'upload-metadata': metadata(told ?? { filename: 'scan.pdf' }),
      ...headers,
    },
    ...(raw === undefined ? {} : { raw }),
  });
}

/** Asks for room for a file that has to be taken, and answers where it is sent to. */
export async function begun(app: TestApp, address: string, announced: Announced): Promise<string> {
  const { status, headers, text } = await announce(app, address, announced);
  assert.equal(status, 201, text);
  const place = headers.get('location') ?? '';
  assert.match(place, /^\/f\/[^/]+\/files\/[\w-]{43}$/);
  return place;
}

/** Sends bytes of a file from an offset on. */
export function send(app: TestApp, place: string, offset: number | string, raw: Buffer, more = {}): Promise<Reply> {
  const headers = {
    ...TUS,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
    ...more,
  };
  return app.request('PATCH', place, { headers, raw });
}

/** What is told of a file. */
export function ask(app: TestApp, place: string): Promise<Response> {
  return fetch(app.url + place, { method: 'HEAD', headers: TUS });
}

/** How much of a file is durable. */
export async function offsetOf(app: TestApp, place: string): Promise<number> {
  const { status, headers } = await ask(app, place);
  assert.equal(status, 200);
  return Number(headers.get('upload-offset'));
}

export function drop(app: TestApp, place: string): Promise<Reply> {
  return app.request('DELETE', place, { headers: TUS });
}

/** A file that has come whole; answers its token. */
export async function uploaded(app: TestApp, address: string, bytes: Buffer, told?: Record<string, string>) {
  const place = await begun(app, address, { length: bytes.length, ...(told === undefined ? {} : { told }) });
  const { status, text } = await send(app, place, 0, bytes);
  assert.equal(status, 204, text);
  return tokenIn(place);
}

export function tokenIn(place: string): string {
  return place.split('/').at(-1) as string;
}

/** Lets a file that has come whole count as one of so many bytes, since as many would take long to send. */
export async function countAs(app: TestApp, token: string, size: number): Promise<void> {
  const { rowCount } = await asOwner(app, (client) =>
    client.query('update blobs set size = $2 where id = (select blob_id from form_uploads where token_hash = $1)', [
      hashSecret(token),
      size,
    ]),
  );
  assert.equal(rowCount, 1);
}

/** How many rows there are of uploads, of their parts, and of files of all kinds. */
export async function counts(app: TestApp): Promise<{ uploads: number; parts: number; blobs: number }> {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(`select (select count(*) from form_uploads)::int as uploads,
      (select count(*) from form_upload_parts)::int as parts, (select count(*) from blobs)::int as blobs`);
    return rows[0];
  });
}

/** Keeps a file as the page does that gets it with a form. */
export async function keptByPage(app: TestApp, formId: string, bytes: Buffer, name = 'a.txt') {
  const { db, vault, blobStore, clock, config, log } = app.installation;
  const form = (await createFindPublicForm({ db, clock })(formId)) as PublicForm;
  const threads = startSealingThreads({
    blobUrl: config.blobUrl,
    clamd: null,
    log,
    onScanned() {},
    onStoreFailed() {},
  });
  const file = createIncomingBlobs({ clock, threads })(await vault.of(form.customerId), form.customerId, {
    base64: false,
  });
  await file.write(bytes);
  const received = await file.end();
  await threads.stop();
  const uploads = createUploads({ db, vault, blobStore, clock });
  return {
    form,
    uploads,
    upload: await uploads.keep(form, received, { name, type: 'text/plain', field: null }, 'a network'),
  };
}

/** How requests ended, whichever came first. */
export function statusesOf(replies: Reply[]): number[] {
  return replies.map(({ status }) => status).toSorted((one, other) => one - other);
}
