import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Encrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import * as fc from 'fast-check';
import { sealTo } from './age.ts';
import { isAgeFile } from './age-structure.ts';

const recipients = await Promise.all(
  [generateX25519Identity, generateX25519Identity, generateHybridIdentity].map(async (make) =>
    identityToRecipient(await make()),
  ),
);
const HEADER_END = /--- .{43}\n/;

test('every file that is encrypted to keys is one, whatever its length and its readers', async () => {
  const anyReaders = fc.subarray(recipients, { minLength: 1 });
  const anyLength = fc.oneof(fc.nat({ max: 200 }), fc.constantFrom(65_535, 65_536, 65_537, 131_072));
  await fc.assert(
    fc.asyncProperty(anyReaders, anyLength, async (to, length) => {
      assert.ok(isAgeFile(await sealTo(to, new Uint8Array(length))));
    }),
    { numRuns: 30 },
  );
});

test('a file for a passphrase is none, as nobody at the clinic would know it', async () => {
  const encrypter = new Encrypter();
  encrypter.setPassphrase('a long passphrase');
  encrypter.setScryptWorkFactor(1);
  assert.equal(isAgeFile(await encrypter.encrypt('answer')), false);
});

test('what is cut off, or has another header, is none', async () => {
  const whole = Buffer.from(await sealTo(recipients.slice(0, 1), 'answer'));
  const text = whole.toString('latin1');
  const headerEnd = text.search(HEADER_END) + 48;
  for (const length of [0, 1, 21, headerEnd - 1, headerEnd, headerEnd + 31]) {
    assert.equal(isAgeFile(whole.subarray(0, length)), false, String(length));
  }
  const others = [
    text.replace('v1', 'v2'),
    text.replace('-> X25519', '-> ssh-rsa'),
    text.replace(/-> X25519[^]*(?=--- )/, ''),
    text.replace('\n', '\r\n'),
    ` ${text}`,
  ];
  for (const other of others) assert.equal(isAgeFile(Buffer.from(other, 'latin1')), false);
});

test('whatever comes is answered with yes or no, and soon', () => {
  const anyLine = fc.constantFrom(
    'age-encryption.org/v1\n',
    '-> X25519 a\n',
    '-> ',
    'A'.repeat(64),
    '\n',
    '--- ',
    ' ',
    'A',
  );
  const anyText = fc.array(anyLine, { maxLength: 3_000 }).map((lines) => Buffer.from(lines.join('')));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), anyText), (bytes) => {
      const start = performance.now();
      assert.equal(typeof isAgeFile(bytes), 'boolean');
      assert.ok(performance.now() - start < 500);
    }),
  );
});
