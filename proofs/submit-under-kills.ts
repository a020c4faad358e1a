// 25 times `kill -9` of the server while forms come in, half of them with a file of 1 MB: afterwards every acknowledged
// submission must be there once, whole, counted, and with its mail; and nothing must be left of the others.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withConnection } from '../src/platform/db/pool.ts';
import { createHome, firstKey, ownerUrlOf, type ServerProcess, startServer } from '../tests/support/server.ts';
import { KILLS, killRepeatedly } from './kill-repeatedly.ts';

const FILE_BYTES = 2 ** 20;
const SAMPLE = 200;

interface Acknowledged {
  id: string;
  sha256: string | null;
}

async function createForm(url: string, key: string): Promise<string> {
  const reply = await fetch(`${url}/v1/forms/api/forms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'Intake',
      customer_id: 1,
      active: true,
      form_json: {},
      recipient: 'desk@example.org',
    }),
  });
  return ((await reply.json()) as { id: string }).id;
}

async function submit(url: string, formId: string, file: Buffer | null): Promise<Acknowledged | null> {
  const attachments = file === null ? [] : [{ name: 'scan.bin', content: file.toString('base64') }];
  const reply = await fetch(`${url}/api/forms/${formId}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ form_data: { name: 'Ann', reason: 'x'.repeat(500) }, attachments }),
  });
  if (reply.status !== 201) return null;
  const sha256 = file === null ? null : createHash('sha256').update(file).digest('hex');
  return { id: reply.headers.get('x-submission-id') as string, sha256 };
}

test(`${KILLS} kills under submissions`, async (t) => {
  const place = await createHome(t);
  const env = { CAREPOST_LOG_LEVEL: 'error', CAREPOST_ROLES: 'http', CAREPOST_LIMITS: 'free-disk=1MB,form=900000/60s' };
  let server: ServerProcess = await startServer(t, place, env);
  const key = firstKey(server);
  const formId = await createForm(server.url, key);
  const acknowledged: Acknowledged[] = [];
  let unanswered = 0;
  const done = new AbortController();

  const keepSubmitting = async (withFile: boolean) => {
    while (!done.signal.aborted) {
      try {
        const one = await submit(server.url, formId, withFile ? randomBytes(FILE_BYTES) : null);
        if (one !== null) acknowledged.push(one);
      } catch {
        unanswered += 1; // may be stored or not
        await sleep(20);
      }
    }
  };
  const submitters = Array.from({ length: 8 }, (_, index) => keepSubmitting(index % 2 === 0));
  await killRepeatedly(
    () => server,
    async () => {
      server = await startServer(t, place, env);
    },
  );
  done.abort();
  await Promise.all(submitters);

  const ids = acknowledged.map(({ id }) => id);
  const found = await withConnection(ownerUrlOf(place), async (client) => {
    const count = async (sql: string) => Number((await client.query(sql, [ids])).rows[0].n);
    const all = '$1::uuid[] is not null';
    return {
      acknowledged: await count('select count(*) as n from submissions where id = any($1)'),
      stored: await count(`select count(*) as n from submissions where ${all}`),
      counted: await count(`select submission_count as n from form_counts where ${all}`),
      keys: await count(`select count(*) as n from submission_keys where ${all}`),
      mails: await count(`select count(*) as n from messages where ${all}`),
      audited: await count(`select count(*) as n from audit_log where action = 'submission.received' and ${all}`),
      files: await count(`select count(*) as n from submission_files where ${all}`),
      blobs: (await client.query('select blob_id as id from submission_files')).rows.map(({ id }) => id as string),
    };
  });
  const { blobs, ...counts } = found;
  process.stdout.write(`acknowledged ${ids.length}, unanswered ${unanswered}: ${JSON.stringify(counts)}\n`);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(counts.acknowledged, ids.length, 'nothing acknowledged is missing');
  for (const effect of ['counted', 'keys', 'mails', 'audited'] as const)
    assert.equal(counts[effect], counts.stored, effect);

  const onDisk = new Set(globSync(join(place.dataDir, 'blobs', '??', '??', '*')).map((path) => basename(path)));
  assert.deepEqual(
    blobs.filter((id) => !onDisk.has(id)),
    [],
    'every file that a submission refers to is there',
  );
  const headers = { authorization: `Bearer ${key}` };
  for (const { id, sha256 } of acknowledged.filter((each) => each.sha256 !== null).slice(-SAMPLE)) {
    const base = `${server.url}/api/forms/${formId}/submissions/${id}`;
    const { data } = (await (await fetch(base, { headers })).json()) as { data: { attachments: { id: string }[] } };
    const file = await fetch(`${base}/attachments/${data.attachments[0]?.id}`, { headers });
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, 'a file is what was sent');
  }
  process.stdout.write(
    `files read back: ${SAMPLE} at most; left by kills and swept later: ${onDisk.size - blobs.length}\n`,
  );
});
