import assert from 'node:assert/strict';
import { chmodSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { judgeFileSystem, judgeInodes } from '../../src/operations/doctor/disk.ts';
import { CHECK_NAMES, examine } from '../../src/operations/doctor/index.ts';
import { judgeMemory, judgeOpenFiles } from '../../src/operations/doctor/machine.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startNameServer, type Zone } from '../delivery/name-server.ts';
import { createAuthority } from '../support/authority.ts';
import { startClamd } from '../support/clamd.ts';
import { freePort } from '../support/server.ts';
import { env, examineOne, finds, folder, sql, troubles } from './examined.ts';

examineOne();

test('a sound installation passes every check, with a warning where there is no backup yet', async () => {
  await sql(`insert into agreements (id, customer_id, version, signer, signed_on, recorded_at)
    select gen_random_uuid(), id, '1', '\\x00', '2020-01-01', now() from customers`);
  const findings = await examine(readConfig(env));
  const passed = new Set(findings.filter(({ state }) => state === 'ok').map(({ check }) => check));
  const rest = CHECK_NAMES.filter((name) => !passed.has(name));
  assert.deepEqual(rest, ['key-folder', 'backup', 'restore-test']);
});

test('without a database that one check fails, and whatever does not need it is still made', async () => {
  const away = { CAREPOST_DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/c` };
  const findings = await examine(readConfig({ ...env, ...away }));
  assert.deepEqual(
    findings.filter(({ state }) => state === 'failed').map(({ check }) => check),
    ['database'],
  );
  assert.ok(findings.some(({ check }) => check === 'blob-store'));
  assert.ok(!findings.some(({ check }) => check === 'walls'));
});

test('before the first start nothing is made, and nothing is called broken', async () => {
  const none = join(folder, 'none');
  const { CAREPOST_DATABASE_URL: _, ...embedded } = env;
  const findings = await examine(readConfig({ ...embedded, CAREPOST_DATA_DIR: none }));
  assert.deepEqual(
    findings.filter(({ state }) => state === 'failed'),
    [],
  );
  assert.throws(() => statSync(none));
});

test('disk: no room, open to others, few inodes, over the network', async () => {
  assert.deepEqual(await troubles('disk'), []);
  await finds('disk', 'failed', /writes are refused below/, { CAREPOST_LIMITS: 'free-disk=9000000GB' });
  chmodSync(env.CAREPOST_DATA_DIR as string, 0o755);
  await finds('disk', 'failed', /others on this machine/);
  chmodSync(env.CAREPOST_DATA_DIR as string, 0o700);
  assert.equal(judgeInodes(1000, 10).state, 'failed');
  assert.equal(judgeInodes(0, 0).state, 'ok');
  assert.equal(judgeFileSystem('nfs4').state, 'failed');
});

test('machine: few open files, little memory', () => {
  assert.equal(
    judgeOpenFiles('Max open files            1024                 524288               files').state,
    'warning',
  );
  assert.equal(judgeOpenFiles('Max open files            65536                524288               files').state, 'ok');
  assert.equal(judgeMemory(2 ** 29).state, 'warning');
});

test('master key: open to others, cut off, missing, broken, in the data folder', async () => {
  const file = `${env.CAREPOST_DATA_DIR}.key`;
  assert.deepEqual(await troubles('master-key'), []);
  chmodSync(file, 0o644);
  await finds('master-key', 'failed', /others can read/);
  chmodSync(file, 0o440);
  assert.deepEqual(await troubles('master-key'), [], 'the group is our own, as in a pod');
  chmodSync(file, 0o400);
  writeFileSync(`${file}.next`, '');
  await finds('master-key', 'failed', /cut off/);
  rmSync(`${file}.next`);
  const other = join(folder, 'other.key');
  await finds('master-key', 'failed', /is missing/, { CAREPOST_MASTER_KEY_FILE: other });
  writeFileSync(other, 'short', { mode: 0o400 });
  await finds('master-key', 'failed', /does not hold a key/, { CAREPOST_MASTER_KEY_FILE: other });
  const link = join(folder, 'link');
  symlinkSync(env.CAREPOST_DATA_DIR as string, link);
  const inside = join(link, 'master.key');
  writeFileSync(inside, Buffer.alloc(32, 1), { mode: 0o400 });
  await finds('master-key', 'failed', /in the data folder/, { CAREPOST_MASTER_KEY_FILE: inside });
  rmSync(inside);
});

test('blob store: a folder that is none', async () => {
  const CAREPOST_BLOB_URL = `file://${join(folder, 'file')}`;
  writeFileSync(join(folder, 'file'), '');
  await finds('blob-store', 'failed', /could not be written/, { CAREPOST_BLOB_URL });
});

test('files: another store than the one that they were put into', async () => {
  assert.deepEqual(await troubles('files'), []);
  const CAREPOST_BLOB_URL = `file://${join(folder, 'another')}`;
  await finds('files', 'failed', /^1 of 1 files that were looked for are not in the store$/, { CAREPOST_BLOB_URL });
  assert.deepEqual(await troubles('blob-store', { CAREPOST_BLOB_URL }), [], 'a file can be written there all the same');
});

test('virus scanner and next hop: nobody there', async (t) => {
  const closed = `127.0.0.1:${await freePort()}`;
  const clamd = await startClamd(t);
  assert.deepEqual(await troubles('virus-scanner', { CAREPOST_CLAMD: clamd.address }), []);
  await finds('virus-scanner', 'failed', /does not answer/, { CAREPOST_CLAMD: closed });
  const relay = { CAREPOST_DELIVERY: 'relay', CAREPOST_RELAY_URL: `smtp://${closed}` };
  await finds('relay', 'failed', /cannot be reached/, relay);
});

test('ports: held by something else, or no address of this machine', async (t) => {
  assert.deepEqual(await troubles('ports'), []);
  const server = createServer((socket) => socket.end('SSH-2.0-x\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  await finds('ports', 'failed', /held by something else \(CAREPOST_SMTP_PORT\)/, { CAREPOST_SMTP_PORT: port });
  await finds('ports', 'failed', /no address of this machine/, {
    CAREPOST_SMTP_HOST: '192.0.2.1',
    CAREPOST_SMTP_PORT: '2588',
  });
});

/** Puts a certificate and a key where the settings look for them. */
const write = (cert: string, key: string) => {
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
};

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600_000);

test('certificates: over, soon over, for other names, of another key, signed by itself, missing', async () => {
  const authority = await createAuthority();
  const set = {
    CAREPOST_TLS_CERT_FILE: join(folder, 'cert.pem'),
    CAREPOST_TLS_KEY_FILE: join(folder, 'key.pem'),
    CAREPOST_PUBLIC_URL: 'https://mail.example.org',
  };
  await finds('certificates', 'failed', /is missing/, set);
  const names = ['mail.example.org'];
  const good = await authority.issue({ names, notAfter: inDays(90) });
  write(good.cert, good.key);
  assert.deepEqual(await troubles('certificates', set), []);
  await finds('certificates', 'failed', /does not name a\.example$/, { ...set, CAREPOST_HELO_NAME: 'a.example' });
  write(good.cert, (await authority.issue({ names })).key);
  await finds('certificates', 'failed', /does not fit its key/, set);
  const soon = await authority.issue({ names, notAfter: inDays(3) });
  write(soon.cert, soon.key);
  await finds('certificates', 'warning', /2 more days/, set);
  const over = await authority.issue({ names, notBefore: inDays(-9), notAfter: inDays(-1) });
  write(over.cert, over.key);
  await finds('certificates', 'failed', /not valid now/, set);
  assert.match((await troubles('certificates', set))[0]?.todo ?? '', /without a restart/);
  const own = await createSelfSigned('mail.example.org', new Date());
  write(own.cert, own.key);
  await finds('certificates', 'warning', /signed by itself/, set);
});

test('names: no resolver, no address, no way back, no way out, no SPF, no MX', async (t) => {
  const silent = {
    CAREPOST_PUBLIC_URL: 'https://mail.example.org',
    CAREPOST_DNS_SERVERS: `127.0.0.1:${await freePort()}`,
  };
  await finds('dns', 'failed', /no resolver answers/, silent);
  const mailServer = createServer((socket) => socket.end('220 mx.test ESMTP\r\n'));
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  t.after(() => mailServer.close());
  const zone: Zone = {
    'mail.example.org': { a: ['127.0.0.1'] },
    'iana.org': { a: ['192.0.2.1'], authentic: true },
    'gmail.com': { mx: [[5, 'mx.test']] },
    'mx.test': { a: ['127.0.0.1'] },
    'back.example.org': { txt: ['v=spf1 -all'], mx: [[0, 'mail.example.org']] },
  };
  const { address } = await startNameServer(t, (name) => zone[name]);
  const direct = {
    CAREPOST_PUBLIC_URL: 'https://mail.example.org',
    CAREPOST_DNS_SERVERS: address,
    CAREPOST_DELIVERY: 'direct',
    CAREPOST_MX_PORT: String((mailServer.address() as AddressInfo).port),
    CAREPOST_RETURN_PATH_DOMAIN: 'back.example.org',
    CAREPOST_BOUNCE_PORT: '0',
  };
  assert.deepEqual(await troubles('dns', direct), []);
  const found = async () => (await troubles('outgoing-mail', direct)).map((each) => each.found);
  const [noWayBack, ...none] = await found();
  assert.match(noWayBack ?? '', /127\.0\.0\.1 does not lead back to mail\.example\.org/);
  assert.deepEqual(none, []);
  for (const name of ['iana.org', 'gmail.com', 'back.example.org']) zone[name] = {};
  const [, unvalidated, noWayOut, noSpf, noMx] = await found();
  assert.match(unvalidated ?? '', /validates DNSSEC/);
  assert.match(noWayOut ?? '', /no mail server answers/);
  assert.match(noSpf ?? '', /no SPF record/);
  assert.match(noMx ?? '', /no MX record/);
  zone['mail.example.org'] = {};
  await finds('dns', 'failed', /has no address/, direct);
});
