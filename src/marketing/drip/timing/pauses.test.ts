import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { afterPauses, type Pause } from './pauses.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-05-01T00:00:00Z');

const minute = (count: number) => new Date(START + count * MINUTE);
const inMinutes = (at: Date) => (at.getTime() - START) / MINUTE;

function pause(from: number, to: number, policy: Pause['policy']): Pause {
  return { from: minute(from).toISOString(), to: minute(to).toISOString(), policy };
}

function after(pauses: Pause[], due: number, { seen = 0, woken = false } = {}) {
  const { dueAt, skipUntil } = afterPauses(pauses, { dueAt: minute(due), seen, woken });
  return { due: inMinutes(dueAt), skip: skipUntil && inMinutes(skipUntil) };
}

test('nothing changes for those who were due before a pause, or with its first moment', () => {
  for (const policy of ['catch_up', 'shift', 'skip_overdue'] as const) {
    assert.deepEqual(after([pause(100, 200, policy)], 99), { due: 99, skip: null });
    assert.deepEqual(after([pause(100, 200, policy)], 100), { due: 100, skip: null });
    assert.deepEqual(after([], 100), { due: 100, skip: null });
  }
});

test('catching up changes nothing', () => {
  assert.deepEqual(after([pause(100, 200, 'catch_up')], 150), { due: 150, skip: null });
});

test('a shift makes everybody wait for as much longer, unless they are woken', () => {
  assert.deepEqual(after([pause(100, 200, 'shift')], 101), { due: 201, skip: null });
  assert.deepEqual(after([pause(100, 200, 'shift')], 500), { due: 600, skip: null });
  assert.deepEqual(after([pause(100, 200, 'shift')], 150, { woken: true }), { due: 150, skip: null });
});

test('mails whose time fell into a pause are left out up to its end', () => {
  assert.deepEqual(after([pause(100, 200, 'skip_overdue')], 101), { due: 101, skip: 200 });
  assert.deepEqual(after([pause(100, 200, 'skip_overdue')], 200), { due: 200, skip: 200 });
  assert.deepEqual(after([pause(100, 200, 'skip_overdue')], 201), { due: 201, skip: null });
  assert.deepEqual(after([pause(100, 200, 'skip_overdue')], 150, { woken: true }), { due: 150, skip: 200 });
});

test('a pause that was taken into account is not so again', () => {
  const pauses = [pause(100, 200, 'shift'), pause(300, 400, 'shift')];
  assert.deepEqual(after(pauses, 350), { due: 550, skip: null });
  assert.deepEqual(after(pauses, 350, { seen: 1 }), { due: 450, skip: null });
  assert.deepEqual(after(pauses, 350, { seen: 2 }), { due: 350, skip: null });
});

test('one pause may shift somebody into the next', () => {
  assert.deepEqual(after([pause(100, 200, 'shift'), pause(220, 300, 'skip_overdue')], 150), { due: 250, skip: 300 });
  assert.deepEqual(after([pause(100, 200, 'shift'), pause(220, 300, 'shift')], 150), { due: 330, skip: null });
  assert.deepEqual(after([pause(100, 200, 'shift'), pause(260, 300, 'shift')], 150), { due: 250, skip: null });
});

test('after shifts everybody has waited for as many minutes outside of pauses as before', () => {
  const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 400 }), (given, wait) => {
      let at = 0;
      const pauses = given.map(([between, length]) => {
        const from = at + between;
        at = from + length;
        return { from, to: at };
      });
      let now = 0;
      for (let waited = 0; waited < wait; now += 1) {
        if (!pauses.some(({ from, to }) => now >= from && now < to)) waited += 1;
      }
      const shifts = pauses.map(({ from, to }) => pause(from, to, 'shift'));
      assert.deepEqual(after(shifts, wait), { due: now, skip: null });
    }),
  );
});
