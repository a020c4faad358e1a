import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptEvidence } from './attempt-evidence.ts';
import { tellEvidence } from './in-words.ts';

const tls = {
  version: 'TLSv1.2',
  cipher: 'X',
  certificateSha256: 'ab',
  verified: false,
  policy: 'none',
  basis: null,
  reason: 'the certificate has expired',
};
const evidence: AttemptEvidence = {
  customerId: 1,
  messageId: 'm',
  ordinal: 0,
  attempt: 1,
  startedAt: 'then',
  finishedAt: 'later',
  outcome: 'delivered',
  notice: false,
  recipient: 'ann@example.com',
  mx: 'mx.example.com',
  address: '192.0.2.1',
  tls,
  code: null,
  reply: null,
};

function told(change: Partial<AttemptEvidence>): string | undefined {
  const head = { customer: 1, seq: 1, hash: '', checkpoint: 1, at: 'soon', signature: '' };
  const contents = {
    format: 'carepost evidence 1' as const,
    customerId: 1,
    messageId: 'm',
    exportedAt: 'now',
    publicKey: '',
    attempts: [],
    without: 0,
    batches: [],
    stretches: [],
  };
  return tellEvidence({ contents, fingerprint: 'f', attempts: [{ evidence: { ...evidence, ...change }, head }] })[3];
}

test('what came of an attempt is told for what it was', () => {
  const over = ', over TLSv1.2 X, certificate ab, not verified: the certificate has expired';
  assert.equal(
    told({ notice: true }),
    `  delivered: mx.example.com [192.0.2.1] took a notice without the content${over}`,
  );
  assert.equal(
    told({ outcome: 'uncertain' }),
    `  uncertain: the content went to mx.example.com [192.0.2.1], and no answer came${over}`,
  );
  assert.equal(told({ outcome: 'refused' }), `  refused: mx.example.com [192.0.2.1] did not take the content${over}`);
  assert.equal(
    told({ outcome: 'deferred', mx: null, address: null, tls: null }),
    '  deferred, before any secured connection stood',
  );
});
