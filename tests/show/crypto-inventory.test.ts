import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashPassword, isPassword } from '../../src/accounts/index.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const inventory = readFileSync(join(ROOT, 'docs', 'crypto.md'), 'utf8');
const named = [...inventory.matchAll(/`(src\/[\w./-]+)`/g)].map(([, path]) => path as string);

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.(test|examples)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
const IMPORT = /import \{([^}]+)\} from 'node:crypto'/;
/** What makes or checks secrets; plain hashes, random bytes and comparisons are everywhere. */
const KEYED =
  /\b(create(Cipheriv|Decipheriv|Hmac|PrivateKey|Sign)|hkdfSync|argon2|generateKeyPair(Sync)?|sign|webcrypto|scrypt|pbkdf2)\b/;
const ALGORITHM = /'((?:aes|chacha|3?des-|rc4|md5|sha-?\d+(?=')|rsa|ecdsa|ed25519|x25519|p-\d|argon2|ml-)[\w-]*)'/gi;

const isNamed = (file: string) => named.some((path) => file === path || file.startsWith(`${path}/`));

test('every place in which keys are used stands in docs/crypto.md, and what stands there is there', () => {
  const keyed = sources.filter(({ text }) => KEYED.test(IMPORT.exec(text)?.[1] ?? '')).map(({ file }) => file);
  assert.ok(keyed.length > 15);
  assert.deepEqual(
    keyed.filter((file) => !isNamed(file)),
    [],
  );
  for (const path of named) assert.ok(existsSync(join(ROOT, path)), path);
});

test('every algorithm that the code names stands in docs/crypto.md', () => {
  const plain = inventory.toLowerCase().replaceAll(/[-_ ]/g, '');
  const used = new Set(
    sources
      .filter(({ text }) => text.includes("'node:crypto'") || text.includes('.subtle'))
      .flatMap(({ text }) => [...text.matchAll(ALGORITHM)].map(([, name]) => (name as string).toLowerCase())),
  );
  assert.ok(used.has('aes-256-gcm') && used.has('sha256') && used.has('ed25519'));
  assert.deepEqual(
    [...used].filter((name) => !plain.includes(name.replaceAll(/[-_]/g, ''))),
    [],
  );
});

test('cryptography comes from Node and from few libraries, and each of them is named', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const libraries = Object.keys(dependencies).filter((name) =>
    /crypt|webauthn|otp|jose|sodium|bcrypt|forge|jwt|noble/.test(name),
  );
  assert.deepEqual(
    libraries.filter((name) => !inventory.includes(`\`${name}\``)),
    [],
  );
  assert.ok(libraries.includes('otpauth') && libraries.includes('age-encryption'));
});

test('passwords are kept by argon2id with 19 MB and two passes, each with a salt of its own', async () => {
  const [one, other] = [await hashPassword('seven quiet lanterns'), await hashPassword('seven quiet lanterns')];
  assert.notEqual(one, other);
  assert.match(one, /argon2id.*m=19456.*t=2.*p=1/);
  assert.deepEqual(
    [await isPassword(one, 'seven quiet lanterns'), await isPassword(one, 'Seven quiet lanterns')],
    [true, false],
  );
});
