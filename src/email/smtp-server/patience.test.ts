import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Patience } from './patience.ts';

const PACE = { commandMs: 300, dataMs: 100, lingerMs: 10 };

test('single bytes buy no time, and sixteen kilobytes do', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let ended = 0;
  const patience = new Patience(PACE, () => (ended += 1));
  patience.awaitData();
  for (let received = 1; received < 100; received += 1) {
    t.mock.timers.tick(1);
    patience.noteData(received);
  }
  assert.equal(ended, 0);
  t.mock.timers.tick(1);
  assert.equal(ended, 1);

  patience.awaitData();
  t.mock.timers.tick(99);
  patience.noteData(16 * 1024);
  t.mock.timers.tick(99);
  patience.noteData(32 * 1024 - 1);
  assert.equal(ended, 1);
  t.mock.timers.tick(1);
  assert.equal(ended, 2);
});

test('a command, the end and nothing at all have times of their own', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let ended = 0;
  const patience = new Patience(PACE, () => (ended += 1));
  t.mock.timers.tick(299);
  patience.awaitCommand();
  t.mock.timers.tick(299);
  assert.equal(ended, 0);
  patience.awaitEnd();
  t.mock.timers.tick(10);
  assert.equal(ended, 1);
  patience.awaitCommand();
  patience.stop();
  t.mock.timers.tick(1_000);
  assert.equal(ended, 1);
});
