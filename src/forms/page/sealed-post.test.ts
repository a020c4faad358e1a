import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealedTurn } from './sealed-post.ts';

test('a sealed form is sent with all its files, or shown again with what is gone said', () => {
  const files = { a: ['t1', 't2'], b: ['t2'] };
  const state = { version: 1, language: 'en', step: 0, answers: {}, files, signature: null };
  assert.deepEqual(sealedTurn(state, { to: 'submit' }, 2), { kind: 'send', state });
  const shown = { kind: 'show', state: { ...state, files: {} }, problems: {} };
  assert.deepEqual(sealedTurn(state, { to: 'submit' }, 1), { ...shown, notes: ['fileGone'] });
  assert.deepEqual(sealedTurn(state, { to: 'stay' }, 1), { ...shown, notes: [] });
});
