import { type CertificateRecord, RECORD_KIND } from './check/record.ts';
import { makeSealCertificate } from './make-seal-certificate.ts';
import { readSealKey, type SealKey } from './seal-key.ts';

/** One transparent point. */
const MARK = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** What a certificate of somebody who exists nowhere says. */
export function sampleRecord(sealKey: SealKey, more: Partial<CertificateRecord> = {}): CertificateRecord {
  return {
    kind: RECORD_KIND,
    form: {
      id: '0190a000-0000-7000-8000-000000000001',
      title: 'Consent to treatment',
      language: 'en',
      version: 3,
      hash: 'f'.repeat(64),
    },
    submission: { id: '0190a000-0000-7000-8000-000000000002', received_at: '2026-01-02T03:04:05.000Z' },
    shown: [
      { kind: 'heading', level: 2, text: 'About you' },
      { kind: 'entry', label: 'Name', lines: [['answer', 'Ann Lee']] },
    ],
    answers: { name: 'Ann Lee' },
    unasked: [],
    attachments: [{ id: '1', name: 'card.pdf', type: 'application/pdf', size: 9, sha256: 'a'.repeat(64) }],
    signatures: [
      {
        role: 'signer',
        name: 'Ann Lee',
        method: 'drawn',
        image: MARK,
        signed_at: '2026-01-02T03:04:05.000Z',
        consent_text: 'I have told the truth.',
        form_version: 3,
        form_hash: 'f'.repeat(64),
        answers_hash: 'e'.repeat(64),
        proof: 'c2lnbmVk',
      },
    ],
    complete: true,
    made_at: '2026-01-02T03:05:00.000Z',
    sealed_by: [sealKey.fingerprint],
    time_stamp: 'none',
    time_authorities: [],
    verify_url: 'https://clinic.example/verify',
    ...more,
  };
}

/** A key such as an installation makes for itself. */
export async function sampleSealKey(): Promise<SealKey> {
  const { cert, key } = await makeSealCertificate('clinic.example', new Date('2026-01-01T00:00:00Z'));
  return readSealKey(cert, key);
}
