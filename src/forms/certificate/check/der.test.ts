import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { CertificateBroken } from './broken.ts';
import { der, inside, readAll, readFirst, readOne, TAG } from './der.ts';

test('whatever is written is read as it was, and written again as the same bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (contents) => {
      const parts = contents.map((content) => der(TAG.octets, content));
      const whole = der(TAG.sequence, ...parts);
      const read = inside(readOne(whole, TAG.sequence), TAG.sequence);
      assert.deepEqual(
        read.map(({ content }) => Array.from(content)),
        contents.map((content) => Array.from(content)),
      );
      assert.deepEqual(der(TAG.sequence, ...read.map((each) => each.whole)), whole);
    }),
  );
});

test('bytes that are no DER are refused and nothing worse happens', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        for (const value of readAll(bytes)) assert.deepEqual(der(value.tag, value.content), value.whole);
      } catch (error) {
        assert.ok(error instanceof CertificateBroken);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a length in more bytes than it needs, none at all or one beyond the end is refused', () => {
  for (const hex of ['048101aa', '0482000100', '0480aa0000', '0402aa', '04', '1f8101', '0485000000000100']) {
    assert.throws(() => readFirst(Buffer.from(hex, 'hex')), CertificateBroken, hex);
  }
  assert.equal(readFirst(Buffer.from('0401aa', 'hex')).content[0], 0xaa);
});
