import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { isLocalOrTrusted } from '../../src/platform/http/limits/trusted-peers.ts';
import { createSelfSigned } from '../../src/platform/net/self-signed.ts';
import { startApp } from '../support/app.ts';
import { ownAddress } from '../support/own-address.ts';

const NAME = 'carepost.test';

async function startHttps(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'carepost-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { cert, key } = await createSelfSigned(NAME, new Date());
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const app = await startApp(t, { env: { CAREPOST_TLS_CERT_FILE: certFile, CAREPOST_TLS_KEY_FILE: keyFile } });
  return { port: Number(new URL(app.url).port), cert };
}

test('with a certificate the server speaks HTTPS and tells browsers to stay with it', async (t) => {
  const { port, cert } = await startHttps(t);
  const reply = await new Promise<{ status: number | undefined; hsts: string | undefined }>((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path: '/healthz', ca: cert, servername: NAME, agent: false },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode, hsts: response.headers['strict-transport-security'] });
      },
    );
    call.once('error', reject).end();
  });
  assert.equal(reply.status, 200);
  assert.match(reply.hsts ?? '', /max-age=\d{8}/);
});

test('nothing below TLS 1.2 and no cipher without forward secrecy is spoken', async (t) => {
  const { port, cert } = await startHttps(t);
  const handshake = (options: object) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, ca: cert, servername: NAME, ...options });
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol() ?? '');
        socket.destroy();
      });
      socket.once('error', () => resolve('refused'));
    });
  assert.equal(await handshake({}), 'TLSv1.3');
  assert.equal(await handshake({ maxVersion: 'TLSv1.2' }), 'TLSv1.2');
  assert.equal(
    await handshake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    'refused',
  );
  assert.equal(await handshake({ maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }), 'refused');
  assert.equal(await handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305' }), 'refused');
});

function from(remoteAddress: string) {
  return { remoteAddress } as Parameters<typeof isLocalOrTrusted>[0];
}

test('plain HTTP is for loopback and for proxies that are named', () => {
  assert.ok(isLocalOrTrusted(from('127.0.0.1'), []));
  assert.ok(isLocalOrTrusted(from('::1'), []));
  assert.ok(isLocalOrTrusted(from('::ffff:127.0.0.1'), []));
  assert.ok(!isLocalOrTrusted(from('10.1.2.3'), []));
  assert.ok(!isLocalOrTrusted(from('10.1.2.3'), ['10.2.0.0/16']));
  assert.ok(isLocalOrTrusted(from('10.2.2.3'), ['10.2.0.0/16']));
  assert.ok(isLocalOrTrusted(from('fd00::7'), ['fd00::/8']));
});

test('plain HTTP from elsewhere is refused at every address, with the right key too, and does nothing', async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip('this machine is on no network');
  const app = await startApp(t, { env: { CAREPOST_HTTP_HOST: '0.0.0.0', CAREPOST_TRUSTED_PROXIES: '198.51.100.7' } });
  const { key } = await app.createCustomer();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(app.url.replace('127.0.0.1', address) + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
    });
  const body = JSON.stringify({ subscriber: { email: 'ann@example.com' } });
  const saved = await ask('/v1/marketing/subscribers', { method: 'POST', body });
  assert.deepEqual([saved.status, saved.headers.get('location')], [403, null]);
  for (const path of [
    '/v1/marketing/subscribers',
    '/v1/email',
    '/app',
    '/app/api/session',
    '/docs',
    '/metrics',
    '/no',
  ]) {
    assert.equal((await ask(path)).status, 403, path);
  }
  const { body: here } = await app.request('GET', '/v1/marketing/subscribers', { key });
  assert.deepEqual(here.data, [], 'nobody was stored, and from this machine itself it is answered');
});

test('what is not HTTP is refused in words, with a request id', async (t) => {
  const app = await startApp(t);
  const port = Number(new URL(app.url).port);
  const talk = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const socket = connectTcp({ host: '127.0.0.1', port }, () => socket.write(text));
      socket.on('data', (chunk) => (answer += chunk)).once('close', () => resolve(answer));
    });
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'POST /v1/email/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const answer = await talk(text);
    assert.match(answer, /^HTTP\/1\.1 4\d\d /);
    assert.match(answer, /X-Request-Id: /);
    assert.ok(JSON.parse(answer.split('\r\n\r\n')[1] as string).errors);
  }
});
