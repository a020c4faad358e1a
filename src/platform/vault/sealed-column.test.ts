import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { SealBroken } from './seal-broken.ts';
import { openValue, type Place, sealValue, versionOf } from './sealed-column.ts';

const KEY = createSecretKey(randomBytes(32));
const OTHER_KEY = createSecretKey(randomBytes(32));
const OVERHEAD = 33;

const anyBytes = fc.uint8Array({ maxLength: 300 });
const anyVersion = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const anyName = fc.string({ minLength: 1, maxLength: 12 });
const anyPlace = fc.record({ customerId: fc.integer({ min: 0 }), table: anyName, row: anyName, column: anyName });

function assertRefused(sealed: Buffer, place: Place, key = KEY): void {
  assert.throws(() => openValue(key, place, sealed), SealBroken);
}

test('any bytes, any text and any place open again to what was sealed', () => {
  fc.assert(
    fc.property(anyBytes, anyVersion, anyPlace, (plain, version, place) => {
      const sealed = sealValue(KEY, version, place, plain);
      assert.equal(sealed.length, plain.length + OVERHEAD);
      assert.equal(versionOf(sealed), version);
      assert.ok(openValue(KEY, place, sealed).equals(plain));
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), anyPlace, (text, place) => {
      assert.equal(openValue(KEY, place, sealValue(KEY, 1, place, text)).toString(), text);
    }),
  );
});

test('no flipped bit, in any byte of the value, ever opens', () => {
  fc.assert(
    fc.property(anyBytes, anyVersion, anyPlace, fc.nat(), fc.nat(7), (plain, version, place, where, bit) => {
      const sealed = sealValue(KEY, version, place, plain);
      const at = where % sealed.length;
      sealed[at] = (sealed[at] as number) ^ (1 << bit);
      assertRefused(sealed, place);
    }),
    { numRuns: 5_000 },
  );
  const place = { customerId: 1, table: 'messages', row: 'a', column: 'envelope' };
  const sealed = sealValue(KEY, 7, place, 'a short text');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const copy = Buffer.from(sealed);
    copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
    assertRefused(copy, place);
  }
});

test('no shortened or extended value ever opens', () => {
  const anyMore = fc.uint8Array({ minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(anyBytes, anyPlace, fc.nat(), anyMore, (plain, place, cut, more) => {
      const sealed = sealValue(KEY, 1, place, plain);
      assertRefused(sealed.subarray(0, cut % sealed.length), place);
      assertRefused(sealed.subarray(1 + (cut % sealed.length)), place);
      assertRefused(Buffer.concat([sealed, more]), place);
      assertRefused(Buffer.concat([more, sealed]), place);
    }),
    { numRuns: 2_000 },
  );
});

test('a value moved to another customer, table, row or column does not open', () => {
  fc.assert(
    fc.property(anyBytes, anyPlace, anyPlace, (plain, place, other) => {
      const sealed = sealValue(KEY, 1, place, plain);
      for (const part of ['customerId', 'table', 'row', 'column'] as const) {
        if (place[part] !== other[part]) assertRefused(sealed, { ...place, [part]: other[part] });
      }
      if (place.table !== place.row) assertRefused(sealed, { ...place, table: place.row, row: place.table });
    }),
    { numRuns: 2_000 },
  );
});

test('names that run into each other are still different places', () => {
  const anyCut = fc.record({ text: fc.string({ minLength: 2, maxLength: 20 }), one: fc.nat(), other: fc.nat() });
  fc.assert(
    fc.property(anyCut, ({ text, one, other }) => {
      const split = (at: number) => ({ row: text.slice(0, at), column: text.slice(at) });
      const [here, there] = [split(one % text.length), split(other % text.length)];
      fc.pre(here.row !== there.row);
      const sealed = sealValue(KEY, 1, { customerId: 1, table: 't', ...here }, 'x');
      assertRefused(sealed, { customerId: 1, table: 't', ...there });
    }),
    { numRuns: 1_000 },
  );
});

test('a value of another key or under the name of another version does not open', () => {
  fc.assert(
    fc.property(anyBytes, anyPlace, anyVersion, anyVersion, (plain, place, version, claimed) => {
      fc.pre(version !== claimed);
      const sealed = sealValue(KEY, version, place, plain);
      assertRefused(sealed, place, OTHER_KEY);
      sealed.writeUInt32BE(claimed, 1);
      assertRefused(sealed, place);
    }),
    { numRuns: 2_000 },
  );
});

test('parts of two values of the same place do not fit together', () => {
  const place = { customerId: 1, table: 'forms', row: 'a', column: 'answers' };
  const property = (plain: Uint8Array, at: number) => {
    const [one, other] = [sealValue(KEY, 1, place, plain), sealValue(KEY, 1, place, plain)];
    const cut = 6 + (at % (one.length - 6));
    const mixed = Buffer.concat([one.subarray(0, cut), other.subarray(cut)]);
    fc.pre(!mixed.equals(one) && !mixed.equals(other)); // a single byte may be the same in both
    assertRefused(mixed, place);
  };
  fc.assert(fc.property(anyBytes, fc.nat(), property), { numRuns: 2_000 });
});

test('random bytes never open', () => {
  const place = { customerId: 1, table: 'forms', row: 'a', column: 'answers' };
  fc.assert(
    fc.property(anyBytes, (bytes) => assertRefused(Buffer.from(bytes), place)),
    { numRuns: 1_000 },
  );
});

test('no nonce repeats in 100,000 seals, and equal values look different', () => {
  const place = { customerId: 1, table: 'messages', row: 'a', column: 'envelope' };
  const nonces = new Set<string>();
  const bodies = new Set<string>();
  for (let count = 0; count < 100_000; count += 1) {
    const sealed = sealValue(KEY, 1, place, 'the same text');
    nonces.add(sealed.toString('latin1', 5, 17));
    bodies.add(sealed.toString('latin1', 17));
  }
  assert.equal(nonces.size, 100_000);
  assert.equal(bodies.size, 100_000);
});
