import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MOST_SIGNERS, ruleOf, signersOf } from './signers-of.ts';

const roles = (json: unknown) => signersOf(json).map(({ role }) => role);

test('who is to sign is read in the order of the form', () => {
  const signers = [
    { role: ' guardian ', label: 'I agree', email_question: 'guardian_email', required: true },
    { role: 'witness', required: false },
    { role: 'second signer' },
  ];
  assert.deepEqual(signersOf({ signers }), [
    { role: 'guardian', label: 'I agree', emailQuestion: 'guardian_email', required: true },
    { role: 'witness', label: null, emailQuestion: null, required: false },
    { role: 'second signer', label: null, emailQuestion: null, required: true },
  ]);
});

test('what is no signer is left out, and there are ten at most', () => {
  const longest = 'r'.repeat(60);
  assert.deepEqual(roles({ signers: [null, 'guardian', {}, { role: '' }, { role: 7 }, { role: 'ok' }] }), ['ok']);
  assert.deepEqual(roles({ signers: [{ role: longest }, { role: `${longest}r` }] }), [longest]);
  for (const count of [MOST_SIGNERS - 1, MOST_SIGNERS, MOST_SIGNERS + 1]) {
    const signers = Array.from({ length: count }, (_, i) => ({ role: `witness ${i}` }));
    assert.equal(signersOf({ signers }).length, Math.min(count, MOST_SIGNERS));
  }
});

test('two of the same role each have their own text, and a later one that of the first', () => {
  const signers = [
    { role: 'witness', label: 'first' },
    { role: 'witness', label: 'second' },
  ];
  const labelAt = (ordinal: number, role = 'witness') => ruleOf({ signers }, { ordinal, role }).label;
  assert.deepEqual([labelAt(0), labelAt(1), labelAt(2), labelAt(0, 'other')], ['first', 'second', 'first', null]);
});

test('nothing that a form may be is too much for it', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (json, signers) => {
      for (const each of [json, { signers }, { signers: [signers] }]) {
        for (const { role } of signersOf(each)) assert.ok(role.length > 0 && role.length <= 60);
      }
    }),
  );
});
