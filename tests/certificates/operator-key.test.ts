import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkCertificate } from '../../src/forms/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createAuthority } from '../support/authority.ts';
import { openCommandLine } from '../support/command-line.ts';
import { addSigned, certificateOf, folderFor } from './certify.ts';

function filesOf(
  t: TestContext,
  cert: string,
  key: string,
): { CAREPOST_SEAL_CERT_FILE: string; CAREPOST_SEAL_KEY_FILE: string } {
  const folder = folderFor(t);
  const files = { CAREPOST_SEAL_CERT_FILE: join(folder, 'cert.pem'), CAREPOST_SEAL_KEY_FILE: join(folder, 'key.pem') };
  writeFileSync(files.CAREPOST_SEAL_CERT_FILE, cert);
  writeFileSync(files.CAREPOST_SEAL_KEY_FILE, key);
  return files;
}

test('the operator’s own certificate seals, with those above it', async (t) => {
  const authority = await (await createAuthority()).subordinate();
  const issued = await authority.issue({ names: ['seal.clinic.example'] });
  const app = await startApp(t, { env: filesOf(t, issued.cert, issued.key) });
  const file = await certificateOf(app, await addSigned(app));
  const fingerprint = new X509Certificate(issued.cert).fingerprint256;
  const { record, sealedBy } = await checkCertificate(file, [fingerprint.replaceAll(':', '').toLowerCase()]);
  assert.equal(sealedBy, 'seal.clinic.example');
  assert.equal(record.sealed_by.length, 2);
});

test('what was sealed before a change of keys is found good by the page afterwards', async (t) => {
  const app = await startApp(t);
  const file = await certificateOf(app, await addSigned(app));
  const [own = ''] = await fingerprintsOf(app);
  const issued = await (await createAuthority()).issue({ names: ['seal.clinic.example'] });
  const env = filesOf(t, issued.cert, issued.key);
  const changed = await startApp(t, { beside: app, env });
  const known = await fingerprintsOf(changed);
  assert.deepEqual(known, [new X509Certificate(issued.cert).fingerprint256.replaceAll(':', '').toLowerCase(), own]);
  assert.equal((await checkCertificate(file, known)).isCompared, true);
});

/** The keys that the page compares with, the present one first. */
async function fingerprintsOf(app: TestApp): Promise<string[]> {
  const { text } = await app.request('GET', '/verify');
  return /id="key" value="([0-9a-f, ]+)"/.exec(text)?.[1]?.split(', ') ?? [];
}

test('carepost certificate key prints what others compare, and the files have to fit each other', async (t) => {
  const line = await openCommandLine(t);
  const made = await line.json('certificate', 'key');
  assert.deepEqual(await line.json('certificate', 'key'), made);
  const { fingerprint256 } = new X509Certificate(made['certificate'] as string);
  assert.equal(fingerprint256.replaceAll(':', '').toLowerCase(), made['fingerprint']);

  const authority = await createAuthority();
  const issued = await authority.issue({ names: ['seal.clinic.example'] });
  const other = await authority.issue({ names: ['other.clinic.example'] });
  const expired = await authority.issue({ names: ['seal.clinic.example'], notAfter: new Date(Date.now() - 60_000) });
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const faults: [cert: string, key: string, told: RegExp][] = [
    [issued.cert, other.key, /CAREPOST_SEAL_KEY_FILE is not the key of the certificate/],
    [issued.cert, String(weak), /CAREPOST_SEAL_KEY_FILE takes a private key in PEM/],
    [issued.cert, 'nothing', /CAREPOST_SEAL_KEY_FILE takes a private key in PEM/],
    ['nothing', issued.key, /CAREPOST_SEAL_CERT_FILE takes certificates in PEM/],
    [expired.cert, expired.key, /CAREPOST_SEAL_CERT_FILE holds a certificate that is not valid now/],
  ];
  for (const [cert, key, told] of faults) {
    const { code, err } = await line.run(['certificate', 'key'], filesOf(t, cert, key));
    assert.notEqual(code, 0);
    assert.match(err, told);
  }
  const { earlier, ...now } = JSON.parse(
    (await line.run(['certificate', 'key', '--json'], filesOf(t, issued.cert, issued.key))).out,
  );
  assert.deepEqual(earlier, [made['fingerprint']]);
  assert.notEqual(now.fingerprint, made['fingerprint']);
  const half = await line.run(['certificate', 'key'], { CAREPOST_SEAL_CERT_FILE: '/cert.pem' });
  assert.match(half.err, /CAREPOST_SEAL_CERT_FILE and CAREPOST_SEAL_KEY_FILE are set together or not at all/);
});
