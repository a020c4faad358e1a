import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nextAttempt } from './retry.ts';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-01T12:00:00Z');
const before = (ms: number) => new Date(NOW.getTime() - ms);
const afterDays = (days: number) =>
  nextAttempt({ now: NOW, random: () => 0.5 }, { attempts: 20, firstTriedAt: before(days * 24 * HOUR) });

test('a server without TLS is tried for four hours since it last had some, however late in the five days that is', () => {
  const anyTry = fc.record({
    attempts: fc.integer({ min: 1, max: 40 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    without: fc.integer({ min: 0, max: 5 * HOUR }),
    tried: fc.integer({ min: 0, max: 110 * HOUR }),
  });
  fc.assert(
    fc.property(anyTry, ({ attempts, random, without, tried }) => {
      const tries = { attempts, firstTriedAt: before(without + tried), noTlsSince: before(without) };
      const at = nextAttempt({ now: NOW, random: () => random }, tries);
      if (without >= 4 * HOUR) return at === null;
      return at !== null && at > NOW && at.getTime() <= NOW.getTime() - without + 4 * HOUR;
    }),
  );
});

test('with TLS the last attempt falls into the five days', () => {
  assert.ok(afterDays(4.8));
  assert.equal(afterDays(4.9), null);
});
