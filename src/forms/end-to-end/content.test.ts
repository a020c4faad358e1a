import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { openSealed, sealTo } from './age.ts';
import { readContent } from './content.ts';
import { makeIdentity } from './local/make-identity.ts';
import { readIdentities } from './local/read-identities.ts';
import { slicedHash } from './sliced-hash.ts';

const FILE = { storedAs: 'a.age', name: 'b.txt', type: 'text/plain', size: 1, field: 'scan', hash: 'c' };
const CONTENT = { form: 'f', version: 1, answers: { a: 'ä' }, signature: null, files: [FILE] };

test('what was encrypted is read back, with either key and not with another', async () => {
  const [one, other, stranger] = [await makeIdentity(), await makeIdentity(), await makeIdentity()];
  const sealed = await sealTo([one.recipient, other.recipient], JSON.stringify(CONTENT));
  for (const identity of [one.identity, other.identity, [stranger.identity, other.identity]]) {
    assert.deepEqual(readContent(new TextDecoder().decode(await openSealed(identity, sealed))), CONTENT);
  }
  await assert.rejects(openSealed(stranger.identity, sealed));
  const changed = sealed.slice();
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  await assert.rejects(openSealed(one.identity, changed));
});

test('anything else is nothing', () => {
  const others: unknown[] = [
    null,
    [],
    { ...CONTENT, form: 1 },
    { ...CONTENT, version: '1' },
    { ...CONTENT, answers: [] },
    { ...CONTENT, signature: 'x' },
    { ...CONTENT, files: null },
    { ...CONTENT, files: [{ ...FILE, size: '1' }] },
    { ...CONTENT, files: [{ ...FILE, hash: undefined }] },
  ];
  for (const other of others) assert.equal(readContent(JSON.stringify(other)), null, JSON.stringify(other));
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.equal(readContent(text), null)));
});

test('an identity file may have comments and several identities, and nothing else', async () => {
  const { identity } = await makeIdentity();
  assert.deepEqual(readIdentities(`# public key: age1\r\n${identity}\n\n${identity}\n`), [identity, identity]);
  for (const text of ['', '# none', 'age1abc', `${identity} x`]) assert.equal(readIdentities(text), null);
});

test('files that differ anywhere come to something else', async () => {
  const bytes = new Uint8Array(2 * 1024 * 1024 + 1);
  const hashes = new Set([await slicedHash(new Blob([])), await slicedHash(new Blob([bytes]))]);
  for (const place of [0, 1024 * 1024, bytes.length - 1]) {
    const changed = bytes.slice();
    changed[place] = 1;
    hashes.add(await slicedHash(new Blob([changed])));
  }
  hashes.add(await slicedHash(new Blob([bytes.subarray(1)])));
  assert.equal(hashes.size, 6);
});
