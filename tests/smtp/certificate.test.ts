import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { systemClock } from '../../src/platform/clock.ts';
import { loadCertificate } from '../../src/platform/net/listener-certificate.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startDoor } from './submission-server.ts';

const name = 'smtp.example.test';

test('a certificate of our own is made once, for us alone to read, and again where half of it is missing', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'carepost-cert-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await loadCertificate({ tls: null, dataDir, name, clock: systemClock });
  assert.ok(new X509Certificate(first.cert).checkHost(name));
  assert.deepEqual(await loadCertificate({ tls: null, dataDir, name, clock: systemClock }), first);
  for (const file of ['smtp.key', 'smtp.crt']) assert.equal(statSync(join(dataDir, 'tls', file)).mode & 0o777, 0o600);
  rmSync(join(dataDir, 'tls', 'smtp.key'));
  const second = await loadCertificate({ tls: null, dataDir, name, clock: systemClock });
  assert.notEqual(second.cert, first.cert);
  assert.deepEqual(await loadCertificate({ tls: null, dataDir, name, clock: systemClock }), second);
});

test('the certificate of the operator is used where there is one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-cert-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = await createSelfSigned('mail.operator.test', new Date());
  const tls = { certFile: join(folder, 'c.pem'), keyFile: join(folder, 'k.pem') };
  writeFileSync(tls.certFile, own.cert);
  writeFileSync(tls.keyFile, own.key);
  assert.deepEqual(await loadCertificate({ tls, dataDir: folder, name, clock: systemClock }), own);
  const missing = { ...tls, keyFile: join(folder, 'missing.pem') };
  await assert.rejects(loadCertificate({ tls: missing, dataDir: folder, name, clock: systemClock }), {
    code: 'ENOENT',
  });
});

test('TLS older than 1.2 and ciphers outside the policy are not spoken', async (t) => {
  const door = await startDoor(t);
  const handshake = (options: object) =>
    new Promise<string>((resolve) => {
      const socket = connect({ port: door.tlsPort, host: '127.0.0.1', rejectUnauthorized: false, ...options });
      socket.once('secureConnect', () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.once('error', () => resolve('refused'));
      socket.once('close', () => resolve('refused'));
    });
  assert.match(await handshake({}), /^TLSv1\.3 TLS_AES_\d+_GCM/);
  assert.match(await handshake({ maxVersion: 'TLSv1.2' }), /^TLSv1\.2 ECDHE-ECDSA-AES\d+-GCM/);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  assert.equal(await handshake(old), 'refused');
  assert.equal(await handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305' }), 'refused');
});
