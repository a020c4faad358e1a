import type { Act } from '../../platform/act.ts';
import type { BlobStore } from '../../platform/blob/blob-store.ts';
import type { SealedBlobs } from '../../platform/blob/sealed-blobs.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { FindVersion } from '../definition/compiled-versions.ts';
import { selectForms } from '../definition/form.ts';
import { requireReadable } from '../end-to-end/require-readable.ts';
import { signingOf } from '../signing/signatures.ts';
import { removeFiles } from '../submissions/delete.ts';
import { type ReadDeps, readSubmission, type SubmissionIds } from '../submissions/read.ts';
import { open, type Submission, selectSubmissions, submissionNotFound } from '../submissions/submission.ts';
import type { Signing } from './certificate-record.ts';
import { findKept, type KeptCertificate, keepCertificate } from './kept-certificate.ts';
import type { LoadSealKey } from './seal-key.ts';
import type { StampTime } from './time-stamps.ts';

export interface CertifyDeps extends ReadDeps {
  blobs: SealedBlobs;
  blobStore: BlobStore;
  findVersion: FindVersion;
  loadSealKey: LoadSealKey;
  stampTime: StampTime | null;
  publicUrl: string;
}

/** A certificate, ready to be sent. */
export interface Certificate {
  sha256: string;
  body: AsyncIterable<Buffer>;
}

/** The certificate of a signed submission: made when it is asked for first, and the same bytes from then on. */
export async function certify(deps: CertifyDeps, act: Act, ids: SubmissionIds): Promise<Certificate> {
  const { db, blobs } = deps;
  const { customerId } = act;
  let submission = await readSubmission(deps, act, ids);
  requireReadable(submission);
  const { id } = submission;
  const again = await currentOf(deps, act, submission);
  let kept: KeptCertificate | null = null;
  while (kept === null) {
    const signing = signingOf(submission);
    if (signing.signatures.length === 0) throw new AppError('not_found', 'Nothing was signed in this submission');
    kept = await db.tenant([customerId], (tx) => findKept(tx, customerId, id, signing));
    kept ??= await makeAndKeep(deps, act, submission, async (tx) => signingOf(await again(tx)));
    // Where somebody signed meanwhile, it is made anew with all of them.
    if (kept === null) submission = await db.tenant([customerId], again);
  }
  const { blobId, sha256 } = kept;
  return { sha256: sha256.toString('hex'), body: blobs.read(customerId, blobId) };
}

/** Reads a submission again, within the same act. */
async function currentOf(
  { vault }: CertifyDeps,
  { customerId }: Act,
  { id, formId }: Submission,
): Promise<(tx: Tx) => Promise<Submission>> {
  const keys = await vault.of(customerId);
  return async (tx) => {
    const row = await selectSubmissions(tx, customerId, formId).where('s.id', '=', id).executeTakeFirst();
    if (row === undefined) throw submissionNotFound();
    return open(keys, customerId, row);
  };
}

async function makeAndKeep(
  deps: CertifyDeps,
  act: Act,
  submission: Submission,
  readSigning: (tx: Tx) => Promise<Signing>,
): Promise<KeptCertificate | null> {
  const { db, blobs, blobStore, clock, findVersion, stampTime, publicUrl } = deps;
  const { customerId } = act;
  const { id, formId, formVersion } = submission;
  const signing = signingOf(submission);
  const form = await db.tenant([customerId], (tx) => selectForms(tx, customerId, [formId]).executeTakeFirst());
  const version = await findVersion({ id: formId, customerId }, formVersion);
  if (form === undefined || version === null) throw submissionNotFound();
  const sealKey = await deps.loadSealKey();
  const at = clock.now();
  const certified = { ...signing, submission, heading: form, version, sealKey, at, publicUrl };
  // Loaded where they are needed only: the writers of PDF and of seals, and the fonts, take 30 MB.
  const { makeCertificate } = await import('./make-certificate.ts');
  const pdf = await makeCertificate(certified, stampTime);
  const blob = await blobs.write(customerId, [pdf]);
  const { kept, useless } = await db.tenant([customerId], (tx) =>
    keepCertificate(tx, { clock, act }, { submissionId: id, blob, signing, readSigning }),
  );
  await removeFiles(blobStore, useless);
  return kept;
}
