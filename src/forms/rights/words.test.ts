import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from './words.ts';

test('names of programs are taken apart, and stay whole beside it', () => {
  assert.equal(wordsOf({ name: 'dateOfBirth', label: 'Born' }), 'date of birth born dateofbirth born');
  assert.equal(wordsOf({ name: 'SSNLast4', label: '' }), 'ssn last 4 ssnlast4 ');
});

test('a label of nothing but capitals keeps nobody waiting', () => {
  const started = performance.now();
  wordsOf({ name: 'q', label: 'A'.repeat(200_000) });
  assert.ok(performance.now() - started < 20_000); // the square of it would be a quarter of an hour
});
