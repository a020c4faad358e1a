import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nextStanding, type Standing } from './standing.ts';

const HOUR = 3600_000;
const NEW: Standing = { state: 'pending', verified_at: null, missed: 0, missing_since: null };
const status = fc.constantFrom('found', 'missing', 'differs', 'unanswered');
const checks = fc.array(fc.tuple(fc.tuple(status, status), fc.integer({ min: 0, max: 30 * HOUR })), { maxLength: 30 });

test('a domain stands as its whole story says', () => {
  fc.assert(
    fc.property(checks, (story) => {
      let standing = NEW;
      let now = 0;
      let misses: number[] = [];
      for (const [required, pause] of story) {
        now += pause;
        const before = standing;
        standing = nextStanding(before, required, new Date(now));
        if (required.every((each) => each === 'found')) {
          misses = [];
          assert.equal(standing.state, 'verified');
        } else if (required.some((each) => each === 'missing' || each === 'differs')) {
          misses.push(now);
          const fails = misses.length >= 3 && now - (misses[0] ?? 0) >= 24 * HOUR;
          assert.equal(standing.state, before.state === 'verified' && fails ? 'failing' : before.state);
        } else {
          assert.deepEqual(standing, before, 'no answer changes nothing');
        }
        assert.equal(standing.verified_at !== null, standing.state !== 'pending');
      }
    }),
  );
});

const miss = (standing: Standing, at: number) => nextStanding(standing, ['missing'], new Date(at));

test('a day is a day', () => {
  const verified = nextStanding(NEW, ['found'], new Date(0));
  const twice = miss(miss(verified, 0), 1);
  assert.equal(miss(twice, 24 * HOUR - 1).state, 'verified');
  assert.equal(miss(twice, 24 * HOUR).state, 'failing');
  assert.equal(miss(miss(verified, 0), 48 * HOUR).state, 'verified', 'two checks are not three');
});
