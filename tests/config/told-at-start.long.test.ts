import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startApp } from '../support/app.ts';
import { OPENSSL, OPENSSL_ENV } from '../support/openssl.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const PAIR = 'CAREPOST_TLS_CERT_FILE and CAREPOST_TLS_KEY_FILE take a certificate and its key in PEM files';

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-told-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Settings that name a certificate and a key; what is not given is not there. */
function filesIn(folder: string, { cert, key }: { cert?: string; key?: string }): Record<string, string> {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  if (cert !== undefined) writeFileSync(certFile, cert);
  if (key !== undefined) writeFileSync(keyFile, key);
  return { CAREPOST_TLS_CERT_FILE: certFile, CAREPOST_TLS_KEY_FILE: keyFile };
}

/** A private key that only a passphrase opens. */
function lock(key: string): string {
  return createPrivateKey(key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  }) as string;
}

/** A certificate with a key that is too short to be shown to anybody. */
function shortPair(folder: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'short.crt'), join(folder, 'short.key')];
  const request = ['req', '-x509', '-newkey', 'rsa:512', '-nodes', '-subj', '/CN=a.test', '-keyout', key, '-out', cert];
  execFileSync(OPENSSL, request, { env: OPENSSL_ENV, stdio: 'ignore' });
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** What the product says of the pair, with the reason behind it. */
function causedBy(reason: RegExp): (error: Error) => boolean {
  return ({ message, cause }) => message.startsWith(PAIR) && reason.test((cause as Error).message);
}

test('a data folder that cannot be made or is none is refused at once', (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'file'), '');
  for (const dataDir of ['/proc/x', '/proc/x/data', join(folder, 'file'), join(folder, 'file/data')]) {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'migrate'], {
      cwd: folder,
      env: { PATH: process.env.PATH, CAREPOST_DATA_DIR: dataDir },
      encoding: 'utf8',
      timeout: 30_000,
      killSignal: 'SIGKILL',
    });
    assert.match(stderr, /^carepost: CAREPOST_DATA_DIR takes a folder that this user may write: .+\n$/, dataDir);
    assert.equal(status, 1);
  }
});

test('files of settings that cannot be read, or do not belong together, are told with the settings', async (t) => {
  const [own, other] = [await createSelfSigned('a.test', new Date()), await createSelfSigned('a.test', new Date())];
  const refused = new RegExp(`^${PAIR} that can be read$`);
  for (const files of [{ key: own.key }, { cert: own.cert }, { cert: own.cert, key: other.key }, { cert: '', key: '' }])
    await assert.rejects(startApp(t, { env: filesIn(folderFor(t), files) }), { message: refused });
  const [locked, short] = [{ cert: own.cert, key: lock(own.key) }, shortPair(folderFor(t))];
  await assert.rejects(startApp(t, { env: filesIn(folderFor(t), locked) }), causedBy(/^the key is locked/));
  await assert.rejects(startApp(t, { env: filesIn(folderFor(t), short) }), causedBy(/key too small/));
});

test('a file of authorities that names none, or one that cannot be read, is refused', async (t) => {
  const { cert } = await createSelfSigned('a.test', new Date());
  const caFile = join(folderFor(t), 'authorities.pem');
  for (const text of [null, '', 'no certificate', cert.replace(/\n.{20}/, '\n'), `${cert}${cert.slice(0, 200)}`]) {
    if (text !== null) writeFileSync(caFile, text);
    await assert.rejects(startApp(t, { env: { CAREPOST_TRUSTED_CA_FILE: caFile } }), {
      message: 'CAREPOST_TRUSTED_CA_FILE takes a PEM file that can be read',
    });
  }
  writeFileSync(caFile, `# two authorities\n${cert}${cert}`);
  await startApp(t, { env: { CAREPOST_TRUSTED_CA_FILE: caFile } });
});

test('a certificate that has ended is shown, and told with its setting', async (t) => {
  const ended = await createSelfSigned('a.test', new Date('2000-01-01'));
  const app = await startApp(t, { env: filesIn(folderFor(t), ended) });
  assert.match(app.logged(), /"level":"warn".+CAREPOST_TLS_CERT_FILE has ended/);
});
