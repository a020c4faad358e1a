// node proofs/previous-version-beside.ts COMMIT: a node of an earlier version works while this one migrates its database
// under load, goes on beside it, and is started again on the newer schema. Every request must be answered as ever, and
// everything that was acknowledged must be there.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '../src/platform/db/embedded.ts';
import { withConnection } from '../src/platform/db/pool.ts';
import { createLog } from '../src/platform/log.ts';
import { eventually } from '../tests/support/eventually.ts';
import { createHome, firstKey, freePort, type ServerProcess, startServer } from '../tests/support/server.ts';

const ROOT = join(import.meta.dirname, '..');
const PHASE_MS = 15_000;
const commit = process.argv[2] ?? 'HEAD';

/** The earlier version in a folder of its own, with the packages of this one. */
function checkOut(folder: string): void {
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: ROOT, stdio: 'ignore' });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !each.startsWith('.'))) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
}

interface Sent {
  messages: string[];
  submissions: number;
  subscribers: number;
  refused: string[];
}

async function post(url: string, path: string, body: object, key?: string): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
}

test(`${commit} beside this version`, async (t) => {
  const previous = join(mkdtempSync(join(tmpdir(), 'carepost-previous-')), 'tree');
  checkOut(previous);
  t.after(() => {
    execFileSync('git', ['worktree', 'remove', '--force', previous], { cwd: ROOT });
    rmSync(join(previous, '..'), { recursive: true });
  });
  const home = await createHome(t);
  const database = await startEmbedded({ dataDir: join(home.folder, 'database'), log: createLog('silent') });
  t.after(() => database.stop());
  const env = { CAREPOST_DATABASE_URL: database.url, CAREPOST_LOG_LEVEL: 'warn' };
  const limits = { CAREPOST_LIMITS: 'free-disk=1MB,form=900000/60s' };
  const startOld = () => startServer(t, home, { ...env, ...limits }, join(previous, 'src', 'main.ts'));
  let old: ServerProcess = await startOld();
  const key = firstKey(old);
  const form = { title: 'Intake', customer_id: 1, active: true, form_json: {} };
  const { id: formId } = (await (await post(old.url, '/v1/forms/api/forms', form, key)).json()) as { id: string };

  const sent: Sent = { messages: [], submissions: 0, subscribers: 0, refused: [] };
  const targets = new Set([old.url]);
  const done = new AbortController();
  let number = 0;
  const ask = async (kind: string, path: string, body: object, withKey: boolean): Promise<Response | null> => {
    const url = [...targets][number % targets.size] as string;
    try {
      const reply = await post(url, path, body, withKey ? key : undefined);
      if (reply.ok) return reply;
      sent.refused.push(`${kind} ${reply.status} ${await reply.text()}`);
    } catch (error) {
      if (targets.has(url)) sent.refused.push(`${kind} ${String(error)}`); // else it was just stopped
    }
    return null;
  };
  const keepAsking = async () => {
    while (!done.signal.aborted) {
      number += 1;
      const mine = number;
      const message = {
        recipients: [`patient-${mine}@example.com`],
        headers: { from: 'clinic@example.org', subject: `Message ${mine}` },
        content: { 'text/plain': 'x'.repeat(500) },
      };
      const accepted = await ask('send', '/v1/email/messages', { data: { message } }, true);
      if (accepted !== null)
        sent.messages.push(((await accepted.json()) as { sourceTrackingId: string }).sourceTrackingId);
      const submission = { form_data: { name: 'Ann' } };
      if (await ask('submit', `/api/forms/${formId}/submissions`, submission, false)) sent.submissions += 1;
      const subscriber = { email: `person-${mine}@example.org`, first_name: 'Ann' };
      if (await ask('subscribe', '/v1/marketing/subscribers', { subscriber }, true)) sent.subscribers += 1;
    }
  };
  const askers = Array.from({ length: 4 }, keepAsking);
  const count = async (text: string, values: unknown[] = []) =>
    withConnection(database.url, async (client) => Number((await client.query(text, values)).rows[0].n));
  const phase = async (name: string) => {
    await sleep(PHASE_MS);
    process.stdout.write(
      `${name}: ${sent.messages.length} sent, ${sent.submissions} submitted, ${sent.subscribers} subscribed\n`,
    );
  };

  const migrations = 'select count(*) as n from schema_migrations';
  const before = await count(migrations);
  await phase('the earlier version alone');
  const newer = await startServer(t, { ...home, port: await freePort() }, { ...env, ...limits });
  const after = await count(migrations);
  targets.add(newer.url);
  await phase(`beside this one, ${after - before} migrations later`);
  targets.delete(old.url);
  await old.kill('SIGTERM');
  old = await startOld();
  targets.add(old.url);
  await phase('started again on the newer schema');
  targets.delete(newer.url);
  await newer.kill('SIGTERM');
  await phase('alone on the newer schema');
  done.abort();
  await Promise.all(askers);

  const ids = sent.messages;
  await eventually(
    async () =>
      (await count(`select count(*) as n from message_recipients where message_id = any($1) and state = 'delivered'`, [
        ids,
      ])) === ids.length,
    300_000,
  );
  const stored = {
    submissions: await count('select count(*) as n from submissions'),
    subscribers: await count(`select count(*) as n from subscribers where email like 'person-%'`),
  };
  const errors = [old, newer].flatMap(({ output }) => output().match(/^.*"level":(50|60|"error").*$/gm) ?? []);
  await old.kill('SIGTERM');
  const audit = spawnSync(process.execPath, [join(ROOT, 'src', 'main.ts'), 'audit', 'verify'], {
    env: { ...process.env, ...env, CAREPOST_DATA_DIR: home.dataDir },
    encoding: 'utf8',
  });
  process.stdout.write(`${JSON.stringify(stored)}; audit: ${audit.stdout}${audit.stderr}`);
  assert.deepEqual(sent.refused, []);
  assert.deepEqual(errors, []);
  assert.ok(stored.submissions >= sent.submissions && stored.subscribers >= sent.subscribers, JSON.stringify(stored));
  assert.equal(audit.status, 0);
});
