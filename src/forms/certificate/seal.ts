import { createPublicKey, sign } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { lowSignature } from './check/public-key.ts';
import type { SealKey } from './seal-key.ts';
import type { StampTime } from './time-stamps.ts';

/** What a signature takes beside certificates and time stamp, with room to spare. */
const SIGNATURE_BYTES = 2_048;
const STAMP_BYTES = 16_384;

/** Seals a PDF as a whole (PAdES B-B, or B-T where time is stamped), as of a time. */
export async function sealPdf(
  pdf: Uint8Array,
  { privateKey, certificates }: SealKey,
  { at, stampTime }: { at: Date; stampTime: StampTime | null },
): Promise<Buffer> {
  const isRsa = privateKey.asymmetricKeyType === 'rsa';
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const [certificate, ...certificateChain] = certificates;
  const document = await PDF.load(pdf);
  const { bytes } = await document.sign({
    signer: {
      certificate,
      certificateChain,
      keyType: isRsa ? 'RSA' : 'EC',
      signatureAlgorithm: isRsa ? 'RSASSA-PKCS1-v1_5' : 'ECDSA',
      sign: async (data) => new Uint8Array(lowSignature(publicKey, sign('sha256', data, privateKey))),
    },
    signingTime: at,
    reason: 'Sealed by the installation that received it',
    fieldName: 'Seal',
    level: stampTime === null ? 'B-B' : 'B-T',
    ...(stampTime === null ? {} : { timestampAuthority: { timestamp: (digest) => stampTime(digest) } }),
    estimatedSize:
      SIGNATURE_BYTES +
      2 * certificates.reduce((sum, { length }) => sum + length, 0) +
      (stampTime === null ? 0 : STAMP_BYTES),
  });
  return Buffer.from(bytes);
}
