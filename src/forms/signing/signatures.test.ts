import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { bindSignature } from '../submissions/signature.ts';
import type { Submission } from '../submissions/submission.ts';
import { awaitedSignatures, judgedSignatures, signingOf } from './signatures.ts';
import type { Signer } from './signer.ts';

const key = generateKeyPairSync('ed25519');
const ids = { submissionId: 'a submission', formId: 'a form' };
const signed = {
  signedAt: '2026-11-15T10:00:00.000Z',
  consentText: 'Yes',
  formVersion: 1,
  formHash: 'f',
  answersHash: 'a',
};

function evidence(role?: string) {
  const bound = role === undefined ? ids : { ...ids, role };
  return bindSignature(key, bound, { name: 'Ann', method: 'typed', image: null }, signed);
}

function signer(role: string, more: Partial<Signer> = {}): Signer {
  const none = { contact: null, expiresAt: null, settledAt: null, signature: null };
  return { id: role, ordinal: 0, role, required: true, state: 'waiting', ...none, ...more };
}

function submission(signature: Submission['signature'], signers: Signer[]): Submission {
  const { submissionId: id, formId } = ids;
  const rest = { answers: {}, unasked: [], files: [], amendments: [], submitterEmail: null, createdAt: new Date(0) };
  return { ...rest, id, formId, formVersion: 1, signature, signers };
}

const genuine = (given: Submission) => judgedSignatures(given, key).map((each) => each.genuine);

test('a signature is genuine in the part in which it was given and in no other', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (role, other) => {
      const signature = evidence(role);
      assert.deepEqual(genuine(submission(null, [signer(role, { signature })])), [true]);
      assert.deepEqual(genuine(submission(null, [signer(other, { signature })])), [role === other]);
    }),
  );
  assert.deepEqual(genuine(submission(evidence(), [])), [true]);
  assert.deepEqual(genuine(submission(evidence('signer'), [])), [false], 'a signer is not who sent the form');
  assert.deepEqual(genuine(submission(null, [signer('signer', { signature: evidence() })])), [false]);
});

test('it is complete once all have signed who must', () => {
  const signature = evidence('guardian');
  const done = signer('guardian', { state: 'signed', signature });
  const need = (signers: Signer[]) => awaitedSignatures(submission(null, signers));
  assert.equal(need([done, signer('witness', { required: false })]), 0);
  assert.equal(need([done, signer('witness')]), 1);
  assert.equal(need([done, signer('witness', { state: 'declined' })]), 1);
  const { signatures, complete } = signingOf(submission(evidence(), [done, signer('witness')]));
  assert.deepEqual([signatures.map(({ role }) => role), complete], [['signer', 'guardian'], false]);
});
