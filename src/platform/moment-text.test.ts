import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { momentText } from './moment-text.ts';

// Few enough that many of them share a place in what is remembered.
const moment = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.integer({ min: 0, max: 4e12 }));

test('a moment is told as JSON tells it, whatever was told before it', () => {
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 300 }), (moments) => {
      for (const time of moments) assert.equal(momentText(new Date(time)), new Date(time).toISOString());
    }),
  );
});
