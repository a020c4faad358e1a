import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { writeJsonList } from './written-json.ts';

test('whatever is listed reads as it was, in pieces and in one', () => {
  const item = fc.record({ text: fc.string({ unit: 'binary' }), number: fc.double(), more: fc.jsonValue() });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 20 }), fc.nat(40_000), (items, padding) => {
      const padded = items.map((each) => ({ ...each, padding: 'ü'.repeat(padding) }));
      const written = writeJsonList(padded, (each) => each);
      assert.equal(Buffer.from(written).toString(), JSON.stringify({ data: padded }));
    }),
  );
});
