import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Reply, TestApp, TestCustomer } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { asOwner } from '../support/owner.ts';

const DEADLINE_MS = 30_000;

/** The shortest picture there is: one transparent point. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');

/** Sends a submission as JSON, without a key. */
export function submit(
  app: TestApp,
  formId: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return app.request('POST', `/v1/forms/api/forms/${formId}/submissions`, { body, headers });
}

/** Sends a submission that has to be taken, and answers its id. */
export async function submitted(
  app: TestApp,
  formId: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const reply = await submit(app, formId, body, headers);
  assert.equal(reply.status, 201, reply.text);
  return idOf(reply);
}

export function idOf({ headers }: Reply): string {
  const id = headers.get('x-submission-id');
  assert.match(id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  return id as string;
}

/** A submission as its customer reads it, its answers parsed. */
export async function readBack(app: TestApp, { key }: Pick<TestCustomer, 'key'>, formId: string, id: string) {
  const { status, body, text } = await app.request('GET', `/v1/forms/api/forms/${formId}/submissions/${id}`, { key });
  assert.equal(status, 200, text);
  return { ...body.data, answers: JSON.parse(body.data.form_data) };
}

/** A file that was sent along, as bytes. */
export async function download(
  app: TestApp,
  { key }: Pick<TestCustomer, 'key'>,
  path: string,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

export function attachmentPath(formId: string, id: string, fileId: string): string {
  return `/v1/forms/api/forms/${formId}/submissions/${id}/attachments/${fileId}`;
}

/** Every file in the blob folder, those still being written included. */
export function blobFiles(app: TestApp): string[] {
  const folder = join(app.installation.config.dataDir, 'blobs');
  const names = statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder, WITHIN);
  return names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true).toSorted();
}

const WITHIN = { recursive: true, encoding: 'utf8' } as const;

/** What every file in the blob folder holds. */
export function blobBytes(app: TestApp): Buffer[] {
  return blobFiles(app).map((name) => readFileSync(join(app.installation.config.dataDir, 'blobs', name)));
}

interface Kept {
  submissions: number;
  keys: number;
  files: number;
  blobs: number;
  /** What the forms say of their submissions. */
  counted: number;
  audited: number;
  /** By name. */
  onDisk: string[];
}

/** How much there is of submissions, in every place where something of one could stay. */
export async function kept(app: TestApp): Promise<Kept> {
  const rows = await asOwner(app, async (client) => {
    const { rows: found } = await client.query(`select
      (select count(*) from submissions)::int as submissions,
      (select count(*) from submission_keys)::int as keys,
      (select count(*) from submission_files)::int as files,
      (select count(*) from blobs)::int as blobs,
      (select coalesce(sum(submission_count), 0) from form_counts)::int as counted,
      (select count(*) from audit_log where action = 'submission.received')::int as audited`);
    return found[0] as Omit<Kept, 'onDisk'>;
  });
  return { ...rows, onDisk: blobFiles(app) };
}

/** How much more there is than there was. */
export function growth(one: Kept, other: Kept): Record<keyof Kept, number> {
  const { submissions, keys, files, blobs, counted, audited } = other;
  return {
    submissions: submissions - one.submissions,
    keys: keys - one.keys,
    files: files - one.files,
    blobs: blobs - one.blobs,
    counted: counted - one.counted,
    audited: audited - one.audited,
    onDisk: other.onDisk.length - one.onDisk.length,
  };
}

/** Does something of which nothing may stay: no row, and no file under any name. */
export async function leavingNothing<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
  const first = await kept(app);
  const result = await work();
  await settlesTo(app, first);
  return result;
}

/** A file that is given up leaves the disk a moment after the answer. */
async function settlesTo(app: TestApp, expected: Kept): Promise<void> {
  let now = await kept(app);
  const same = () => JSON.stringify(now) === JSON.stringify(expected);
  await eventually(async () => {
    now = await kept(app);
    return same();
  }, 5_000).catch(() => undefined);
  assert.deepEqual(now, expected);
}

/** What the audit log says of a customer's submissions, in its order. */
export async function auditOf(app: TestApp, { id }: Pick<TestCustomer, 'id'>, actions: string[]) {
  return asOwner(app, async (client) => {
    const { rows } = await client.query(
      `select actor_kind, actor_id, action, target, request_id, details from audit_log
       where customer_id = $1 and action = any($2) order by id`,
      [id, actions],
    );
    return rows as { actor_kind: string; action: string; target: string; details: Record<string, unknown> }[];
  });
}

/** A connection of which a test decides every byte; `answer` resolves with the first line that comes back. */
export async function openLine(app: TestApp): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (text.includes('\r\n')) resolve(text.slice(0, text.indexOf('\r\n')));
    });
    socket.on('close', () => resolve(text));
  });
  socket.on('error', () => {});
  socket.setTimeout(DEADLINE_MS, () => socket.destroy());
  return { socket, answer };
}
