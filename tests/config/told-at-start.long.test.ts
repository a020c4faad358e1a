import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startApp } from '../support/app.ts';

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
  await assert.rejects(startApp(t, { env: { CAREPOST_TRUSTED_CA_FILE: join(folderFor(t), 'missing.pem') } }), {
    message: 'CAREPOST_TRUSTED_CA_FILE takes a PEM file that can be read',
  });
});

test('a certificate that has ended is shown, and told with its setting', async (t) => {
  const ended = await createSelfSigned('a.test', new Date('2000-01-01'));
  const app = await startApp(t, { env: filesIn(folderFor(t), ended) });
  assert.match(app.logged(), /"level":"warn".+CAREPOST_TLS_CERT_FILE has ended/);
});
