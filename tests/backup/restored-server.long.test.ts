import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { openSource, restoreEmbedded } from '../../src/operations/restore/index.ts';
import { startEmbedded } from '../../src/platform/db/embedded.ts';
import { createLog } from '../../src/platform/log.ts';
import { runHere, runProcess } from '../support/command-line.ts';
import { createHome, freePort, type Home, startServer } from '../support/server.ts';
import { assertThere, doWork, FILE, get, openClinic } from './clinic.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
}

function aBlob(folder: string): string {
  return filesUnder(join(folder, 'blobs'))[0] as string;
}

function flip(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

/** The command line on a home. */
function commandsOf(home: Home) {
  return async (...args: string[]) => {
    const env = {
      CAREPOST_DATA_DIR: home.dataDir,
      CAREPOST_SMTP_PORT: '0',
      CAREPOST_SMTPS_PORT: '0',
      TMPDIR: home.temp,
    };
    // What trying out leaves in the folder for temporary files is looked at, which is one for a process.
    const run = args.includes('--verify') ? runProcess : runHere;
    const { code, out, err } = await run([...args, '--json'], env);
    return { code, err, json: out === '' ? null : JSON.parse(out) };
  };
}

async function tryToRestore(home: Home, folders: { from: string; keys: string }, env: Record<string, string> = {}) {
  const config = readConfig({ CAREPOST_DATA_DIR: home.dataDir, ...env });
  return restoreEmbedded(config, openSource(config, folders), { at: null, sameStore: false });
}

async function moveTo(t: TestContext, name: string, old: Home): Promise<Home> {
  const home = { ...(await createHome(t)), port: await freePort() };
  const moved = { ...home, dataDir: join(home.folder, name) };
  copyFileSync(`${old.dataDir}.key`, `${moved.dataDir}.key`);
  return moved;
}

test('killed, wiped and restored elsewhere, a server has everything that the last backup had', async (t) => {
  const home = await createHome(t);
  const store = await createHome(t);
  const [to, keys] = [join(store.folder, 'backup'), join(store.folder, 'keys')];
  const server = await startServer(t, home);
  const clinic = await openClinic(server);
  const carepost = commandsOf(home);
  const back = ['backup', '--to', to, '--keys-to', keys];
  const marks = ['first', 'second', 'third', 'lost'].map((name) => `${name}${randomBytes(12).toString('hex')}`);
  const [first = '', second = '', third = '', lost = ''] = marks;

  const before = await doWork(server, clinic, first);
  const full = await carepost(...back);
  assert.deepEqual([full.code, full.err, full.json.kind], [0, '', 'full']);
  const between = await doWork(server, clinic, second);
  const moment = await carepost(...back);
  assert.deepEqual([moment.err, moment.json.kind, moment.json.number], ['', 'incremental', 2]);
  const after = await doWork(server, clinic, third);
  const newest = await carepost(...back);
  assert.deepEqual([newest.err, newest.json.kind, newest.json.number], ['', 'incremental', 3]);
  await doWork(server, clinic, lost);
  await server.kill('SIGKILL');

  await t.test('nothing that was given to the server can be found in the backup', () => {
    const haystack = [...filesUnder(to), ...filesUnder(keys)].map((file) => ({ file, bytes: readFileSync(file) }));
    assert.ok(haystack.length > 8);
    for (const needle of [
      ...marks,
      'clinic@example.org',
      'My clinic',
      FILE.subarray(5000, 5040),
      clinic.key.slice(20),
    ]) {
      assert.equal(haystack.find(({ bytes }) => bytes.includes(needle))?.file, undefined);
    }
    const masterKey = readFileSync(`${home.dataDir}.key`);
    assert.equal(haystack.find(({ bytes }) => bytes.includes(masterKey))?.file, undefined);
  });

  const where = ['restore', '--from', to, '--keys', keys];
  await t.test('it is tried out in full beside everything else', async () => {
    const { code, err, json } = await carepost(...where, '--verify');
    assert.deepEqual([code, err, json?.faults], [0, '', []]);
    assert.ok(
      json.submissions === 3 && json.files === 3 && json.values > 20 && json.audit_rows > 0,
      JSON.stringify(json),
    );
    assert.equal(json.tables.submissions, 3);
    assert.deepEqual(
      readdirSync(home.temp).filter((name) => name.startsWith('carepost-verify-')),
      [],
    );
  });

  await t.test('damage is refused by name, and leaves nothing behind', async () => {
    const chain = String(newest.json.backup);
    const inChain = (name: string) => (folder: string) => join(folder, 'chains', chain, name);
    const cases: [string, (folder: string) => string, (file: string) => void, RegExp][] = [
      [
        'a truncated base',
        inChain('000001.base.0001'),
        (file) => truncateSync(file, 1000),
        /000001\.base\.0001 has 1000/,
      ],
      ['an altered log', inChain('000002.wal'), flip, /000002\.wal (was altered|cannot be opened)/],
      ['a missing log', inChain('000002.wal'), (file) => rmSync(file), /000002\.wal is missing/],
      ['a missing manifest', inChain('000002.manifest'), (file) => rmSync(file), /000002\.manifest is missing/],
      ['an altered manifest', inChain('000003.manifest'), flip, /000003\.manifest (is not signed|cannot be read)/],
      [
        'a foreign manifest',
        inChain('000003.manifest'),
        (file) => copyFileSync(join(file, '..', '000002.manifest'), file),
        /000003\.manifest belongs elsewhere/,
      ],
    ];
    const elsewhere = await moveTo(t, 'damaged', home);
    for (const [name, target, harm, message] of cases) {
      const copy = join(store.folder, 'damaged');
      cpSync(to, copy, { recursive: true });
      harm(target(copy));
      await assert.rejects(tryToRestore(elsewhere, { from: copy, keys }), message, name);
      rmSync(copy, { recursive: true });
      assert.deepEqual(filesUnder(elsewhere.folder), [`${elsewhere.dataDir}.key`], `${name} left nothing behind`);
    }
    await assert.rejects(tryToRestore(elsewhere, { from: to, keys: store.temp }), /key of backup \w+ is not in --keys/);
    const copy = join(store.folder, 'one-bad-file');
    cpSync(to, copy, { recursive: true });
    flip(aBlob(copy));
    const { code, json } = await commandsOf(elsewhere)('restore', '--from', copy, '--keys', keys);
    assert.deepEqual(
      [code, json.files, json.faults.length],
      [1, 2, 1],
      'one file does not keep the rest from being restored',
    );
    assert.match(json.faults[0], /blob [0-9a-f-]{36} was altered/);
    rmSync(elsewhere.dataDir, { recursive: true });
    rmSync(`${elsewhere.dataDir}.key`);
    await assert.rejects(tryToRestore(elsewhere, { from: to, keys }), /^Error: CAREPOST_MASTER_KEY_FILE is missing/);
    writeFileSync(`${elsewhere.dataDir}.key`, randomBytes(32), { mode: 0o400 });
    await assert.rejects(
      tryToRestore(elsewhere, { from: to, keys }),
      /another key than the \w+ that sealed the backup/,
    );
  });

  await t.test(
    'a store with files of somebody else is refused, and one of an earlier try is gone on with',
    async () => {
      const elsewhere = await moveTo(t, 'bucket', home);
      const bucket = join(elsewhere.folder, 'files');
      const env = { CAREPOST_BLOB_URL: pathToFileURL(bucket).href };
      const copy = join(store.folder, 'one-bad-file');
      assert.equal((await tryToRestore(elsewhere, { from: copy, keys }, env)).faults.length, 1);
      const again = async () => {
        rmSync(elsewhere.dataDir, { recursive: true });
        return tryToRestore(elsewhere, { from: to, keys }, env);
      };
      const { files, faults } = await again();
      assert.deepEqual([files, faults], [3, []]);
      const foreign = join(bucket, '00', '00', '01890000-0000-7000-8000-000000000000');
      mkdirSync(join(foreign, '..'), { recursive: true });
      writeFileSync(foreign, 'x');
      await assert.rejects(again(), /CAREPOST_BLOB_URL leads to a store that is in use/);
      assert.ok(!existsSync(elsewhere.dataDir), 'before anything is unpacked');
    },
  );

  await t.test('a restore that is killed on the way leaves nothing that starts', async () => {
    const half = await moveTo(t, 'half', home);
    const asked = Promise.withResolvers<void>();
    const silentStore = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
    t.after(() => silentStore.close().closeAllConnections());
    await once(silentStore, 'listening');
    const { port } = silentStore.address() as AddressInfo;
    const env = {
      PATH: process.env.PATH,
      CAREPOST_DATA_DIR: half.dataDir,
      CAREPOST_BLOB_URL: `s3://key:secret@bucket/files?endpoint=http://127.0.0.1:${port}&pathStyle=true`,
    };
    const restoring = spawn(process.execPath, [MAIN, ...where, '--same-store'], { env, stdio: 'ignore' });
    const ended = once(restoring, 'exit');
    await Promise.race([asked.promise, ended]);
    restoring.kill('SIGKILL');
    await ended;
    assert.ok(existsSync(join(half.dataDir, 'postgres', 'PG_VERSION')), 'it was in the middle of it');
    await assert.rejects(startEmbedded({ dataDir: half.dataDir, log: createLog('silent') }), /did not start/);
  });

  await t.test('what a backup needs to be opened is not put into it', async () => {
    const { err } = await carepost('backup', '--to', home.folder, '--keys-to', keys);
    assert.match(err, /--to takes a folder without CAREPOST_MASTER_KEY_FILE in it/);
  });

  rmSync(home.dataDir, { recursive: true });
  const there = await moveTo(t, 'elsewhere', home);
  const restored = await commandsOf(there)(...where);
  assert.deepEqual([restored.code, restored.err, restored.json?.number], [0, '', 3]);
  const again = await commandsOf(there)(...where);
  assert.match(again.err, /^carepost: CAREPOST_DATA_DIR takes an empty folder/);
  const revived = await startServer(t, there);
  for (const work of [before, between, after]) await assertThere(revived, clinic, work);
  const goingOn = await doWork(revived, clinic, lost);
  await assertThere(revived, clinic, goingOn);
  const audit = await commandsOf(there)('audit', 'verify');
  assert.deepEqual([audit.code, audit.json.faults], [0, []]);

  await t.test('the restored server is backed up anew, as its history is another one', async () => {
    const { json, err } = await commandsOf(there)(...back);
    assert.deepEqual([err, json?.kind, json?.reason], ['', 'full', 'the database has begun a new timeline']);
  });
  await revived.kill('SIGTERM');

  await t.test('a moment between two backups is restored as it was', async () => {
    const past = await moveTo(t, 'past', home);
    const commands = commandsOf(past);
    const chains = readdirSync(join(to, 'chains')).toSorted();
    flip(join(to, 'chains', chains.at(-1) ?? '', '000001.manifest'));
    const late = await commands(...where, '--at', '2099-01-01T00:00:00Z');
    assert.match(late.err, /^carepost: --at takes a moment within .*; \w+ cannot be used: the backup is damaged: /);
    const { code, err, json } = await commands(...where, '--at', String(moment.json.restorable_until));
    assert.deepEqual([code, err, json?.backup, json?.number], [0, '', newest.json.backup, 2]);
    const asItWas = await startServer(t, past);
    for (const work of [before, between]) await assertThere(asItWas, clinic, work);
    const [later] = after.submissions;
    assert.equal((await get(asItWas, later?.path ?? '', clinic.key)).status, 404);
  });
});
