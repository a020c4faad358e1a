import { createHash } from 'node:crypto';
import { recordAct } from '../../accounts/index.ts';
import type { Act } from '../../platform/act.ts';
import { type StoredBlob, writeBlobRow } from '../../platform/blob/sealed-blobs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { submissionNotFound } from '../submissions/submission.ts';
import type { Signing } from './certificate-record.ts';
import '../tables.ts';

/** A certificate that was made before: where its bytes are. */
export interface KeptCertificate {
  blobId: string;
  sha256: Buffer;
}

/** The certificate that was made of a submission while it was signed like this, if any. */
export async function findKept(
  tx: Tx,
  customerId: number,
  submissionId: string,
  signing: Signing,
): Promise<KeptCertificate | null> {
  const row = await tx
    .selectFrom('submission_certificates')
    .select(['blob_id', 'sha256', 'signed'])
    .where('customer_id', '=', customerId)
    .where('submission_id', '=', submissionId)
    .executeTakeFirst();
  if (row === undefined || !row.signed.equals(hashOfSigning(signing))) return null;
  return { blobId: row.blob_id, sha256: row.sha256 };
}

/** A certificate that was just made. */
interface Made {
  submissionId: string;
  blob: StoredBlob;
  /** Who had signed when it was begun, and who has now. */
  signing: Signing;
  readSigning(tx: Tx): Promise<Signing>;
}

/**
 * Keeps a certificate, in place of one with fewer signatures. Where another was faster, that one counts, and where
 * somebody has signed meanwhile, none does. Answers with the one that counts and the files that are of no use any more.
 */
export async function keepCertificate(
  tx: Tx,
  { clock, act }: { clock: Clock; act: Act },
  { submissionId, blob, signing, readSigning }: Made,
): Promise<{ kept: KeptCertificate | null; useless: string[] }> {
  const { customerId } = act;
  // Whoever signs or destroys the submission waits for this, or this for them and there is nothing left to certify.
  const key = await tx
    .selectFrom('submission_keys')
    .select('submission_id')
    .where('customer_id', '=', customerId)
    .where('submission_id', '=', submissionId)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) throw submissionNotFound();
  const current = await readSigning(tx);
  if (!hashOfSigning(current).equals(hashOfSigning(signing))) return { kept: null, useless: [blob.id] };
  const faster = await findKept(tx, customerId, submissionId, signing);
  if (faster !== null) return { kept: faster, useless: [blob.id] };
  const before = await tx
    .deleteFrom('submission_certificates')
    .where('customer_id', '=', customerId)
    .where('submission_id', '=', submissionId)
    .returning('blob_id')
    .execute();
  const useless = before.map(({ blob_id: id }) => id);
  if (useless.length > 0) {
    await tx.deleteFrom('blobs').where('customer_id', '=', customerId).where('id', 'in', useless).execute();
  }
  await writeBlobRow(tx, clock, blob);
  await tx
    .insertInto('submission_certificates')
    .values({
      submission_id: submissionId,
      customer_id: customerId,
      blob_id: blob.id,
      sha256: blob.sha256,
      signed: hashOfSigning(signing),
      complete: signing.complete,
      made_at: clock.now(),
    })
    .execute();
  const details = { sha256: blob.sha256.toString('hex'), signatures: signing.signatures.length };
  await recordAct(tx, clock, { ...act, action: 'certificate.made' }, { target: submissionId, details });
  return { kept: { blobId: blob.id, sha256: blob.sha256 }, useless };
}

/** Two signings are the same where the same signatures were given in the same parts. */
function hashOfSigning({ signatures, complete }: Signing): Buffer {
  const told = [complete, ...signatures.map(({ role, proof }) => [role, proof])];
  return createHash('sha256').update(JSON.stringify(told)).digest();
}
