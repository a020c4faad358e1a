import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const NAME = 'carepost.test';

function shownAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

test('a certificate that is replaced on disk is shown without a restart, once both its files are there', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const [before, after] = [await createSelfSigned(NAME, new Date()), await createSelfSigned(NAME, new Date())];
  writeFileSync(certFile, before.cert);
  writeFileSync(keyFile, before.key);
  const app = await startApp(t, {
    env: { CAREPOST_TLS_CERT_FILE: certFile, CAREPOST_TLS_KEY_FILE: keyFile, CAREPOST_ROLES: 'http,smtp' },
  });
  const ports = [Number(new URL(app.url).port), app.smtp?.tlsPort ?? 0];
  const shown = async () => (await Promise.all(ports.map(shownAt))).map((pem) => pem.trim());
  assert.deepEqual(
    await shown(),
    ports.map(() => before.cert.trim()),
  );

  writeFileSync(certFile, after.cert);
  await eventually(async () => app.logged().includes('the new certificate cannot be used'));
  assert.deepEqual(
    await shown(),
    ports.map(() => before.cert.trim()),
    'half a pair is not taken',
  );

  writeFileSync(keyFile, after.key);
  await eventually(async () => (await shown()).every((pem) => pem === after.cert.trim()));
});
