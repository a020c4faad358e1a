import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { allowance, paceAfter, slots } from './pace.ts';

test('over any stretch of time no more goes out than the pace allows, and one second more', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 64 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), steps, (perSecond, moves) => {
      let now = 0;
      let until: Date | null = null;
      let sent = 0;
      for (const [pause, wanted] of moves) {
        now += pause;
        const going = Math.min(wanted, allowance(new Date(now), perSecond, until));
        until = paceAfter(new Date(now), perSecond, until, going);
        sent += going;
        assert.ok(sent <= ((now + 1_000) * perSecond) / 1_000 + 1);
      }
    }),
  );
});

test('a domain gets one mail at a time, each in a slot of its own', () => {
  const now = new Date(1_000_000);
  const first = slots(now, 6, null, 3);
  assert.deepEqual(
    first.at.map((at) => at.getTime() - now.getTime()),
    [0, 10_000, 20_000],
  );
  const later = slots(now, 6, first.next, 1);
  assert.equal((later.at[0] as Date).getTime() - now.getTime(), 30_000);
});
