import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { generateKey, hashKey, publicIdOf } from './api-key-format.ts';

const anyMode = fc.constantFrom('live' as const, 'test' as const);

test('a generated key is read back, and only letters, digits and underscores stand in it', () => {
  fc.assert(
    fc.property(anyMode, (mode) => {
      const { key, publicId, secretHash } = generateKey(mode);
      assert.match(key, new RegExp(`^cp_${mode}_[0-9A-Za-z]{61}$`));
      assert.ok(!key.includes('.'));
      assert.equal(publicIdOf(key), publicId);
      assert.ok(key.startsWith(`cp_${mode}_${publicId}`));
      assert.deepEqual(secretHash, createHash('sha256').update(key).digest());
      assert.deepEqual(secretHash, hashKey(key));
    }),
    { numRuns: 500 },
  );
});

test('no key and no public id is made twice', () => {
  const keys = Array.from({ length: 2_000 }, () => generateKey('live'));
  assert.equal(new Set(keys.map(({ key }) => key)).size, keys.length);
  assert.equal(new Set(keys.map(({ publicId }) => publicId)).size, keys.length);
});

test('any single changed character is caught without a lookup', () => {
  const { key } = generateKey('live');
  const anyCharacter = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.nat(key.length - 1), anyCharacter, (place, character) => {
      fc.pre(key[place] !== character);
      assert.equal(publicIdOf(key.slice(0, place) + character + key.slice(place + 1)), null);
    }),
    { numRuns: 5_000 },
  );
});

test('a key that is cut, lengthened or wrapped is not one', () => {
  const { key } = generateKey('test');
  fc.assert(fc.property(fc.nat(key.length - 1), (length) => assert.equal(publicIdOf(key.slice(0, length)), null)));
  for (const other of [`${key}0`, `0${key}`, ` ${key}`, `${key}\n`, `${key}.`, key.toUpperCase()]) {
    assert.equal(publicIdOf(other), null);
  }
});

test('no other text is taken for a key', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(publicIdOf(text), null)));
});
