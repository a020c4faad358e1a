import { requireThat } from './broken.ts';
import { hashOf, hexOf, isSame } from './bytes.ts';
import { readEmbeddedRecord } from './embedded-record.ts';
import { readSealedPdf } from './pdf-signature.ts';
import { type CertificateRecord, readRecord } from './record.ts';
import { checkSignedData, DATA, readSignedData, writeSignedData } from './signed-data.ts';
import { checkToken, type TimeStamp } from './time-stamp.ts';

/** What a certificate that holds has proved. */
export interface Checked {
  record: CertificateRecord;
  /** The name in the sealing certificate, and that certificate's SHA-256. */
  sealedBy: string;
  fingerprint: string;
  /** Whether the fingerprint is one of those that were known before. */
  isCompared: boolean;
  timeStamp: TimeStamp | null;
}

/** The stamp is asked for when the certificate is made. */
const MOST_APART_MS = 5 * 60_000;
const OTHER_AUTHORITY = 'the time stamp is by another authority than the record names';

/**
 * Checks a certificate with nothing but its bytes, in Node and in browsers; throws CertificateBroken. Without known
 * fingerprints it shows that nothing was changed, not who made it.
 */
export async function checkCertificate(file: Uint8Array, known: readonly string[] | null): Promise<Checked> {
  const { signed, signature } = readSealedPdf(file);
  const data = readSignedData(signature);
  requireThat(isSame(writeSignedData(data), signature), 'the signature has been changed');
  requireThat(data.contentType === DATA && data.content === null, 'the signature is not one over the file');
  await checkSignedData(data, signed);
  const fingerprint = hexOf(await hashOf('SHA-256', data.signer.der));
  requireThat(known?.includes(fingerprint) ?? true, 'it was sealed with another key than the one that is expected');
  const record = readRecord(await readEmbeddedRecord(file));
  const certificates = await Promise.all(
    data.certificates.map(async (each) => hexOf(await hashOf('SHA-256', each.der))),
  );
  requireThat(
    certificates.join() === record.sealed_by.join() && certificates[0] === fingerprint,
    'the record names other certificates than the signature holds',
  );
  const { notBefore, notAfter, name } = data.signer;
  const madeAt = new Date(record.made_at);
  requireThat(notBefore <= madeAt && madeAt <= notAfter, 'the sealing certificate was out of its time');
  requireThat(
    (record.time_stamp === 'present') === (data.timeStamp !== null),
    'the time stamp that belongs to it is missing, or one stands there that does not',
  );
  const timeStamp = data.timeStamp === null ? null : await checkToken(data.timeStamp, data.signature);
  if (timeStamp !== null) {
    requireThat(
      Math.abs(timeStamp.at.getTime() - madeAt.getTime()) <= MOST_APART_MS,
      'the time stamp is of another time',
    );
    requireThat(record.time_authorities.includes(timeStamp.fingerprint), OTHER_AUTHORITY);
  }
  return { record, sealedBy: name, fingerprint, isCompared: known !== null, timeStamp };
}

/** A fingerprint as people copy it: in any case, with colons or spaces. Null where it is none. */
function readFingerprint(text: string): string | null {
  const plain = text.replace(/[\s:]/g, '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(plain) ? plain : null;
}

/** Fingerprints with commas between them; null where one of them is none. */
export function readFingerprints(text: string): string[] | null {
  const read = text.split(',').flatMap((each) => readFingerprint(each) ?? []);
  return read.length === text.split(',').length ? read : null;
}
