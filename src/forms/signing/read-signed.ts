import { recordAct } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CustomerVault } from '../../platform/vault/vault.ts';
import type { DraftDeps } from '../drafts/draft.ts';
import type { SubmittedFile } from '../submissions/sealed-submission.ts';
import { open, type Submission, selectSubmissions } from '../submissions/submission.ts';
import { actOf, type InvitedSigner } from './find-signer.ts';

/** What somebody is to sign; that they read it is in the audit log before they do. Null where it was destroyed. */
export async function readToSign(
  deps: DraftDeps,
  signer: InvitedSigner,
  requestId: string,
): Promise<Submission | null> {
  return read(deps, signer, async (tx, submission) => {
    const act = actOf(signer, 'recipient', 'submission.read', requestId);
    await recordAct(tx, deps.clock, act, { target: submission.id, details: { form: submission.formId } });
    return submission;
  });
}

/** A file of what somebody is to sign; reading it is recorded as well. */
export async function readFileToSign(
  deps: DraftDeps,
  signer: InvitedSigner,
  fileId: string,
  requestId: string,
): Promise<SubmittedFile | null> {
  return read(deps, signer, async (tx, { id, files }) => {
    const file = files.find((each) => each.id === fileId);
    if (file === undefined) return null;
    const act = actOf(signer, 'recipient', 'attachment.read', requestId);
    await recordAct(tx, deps.clock, act, { target: file.id, details: { submission: id } });
    return file;
  });
}

async function read<T>(
  { db, vault }: DraftDeps,
  signer: InvitedSigner,
  work: (tx: Tx, submission: Submission) => Promise<T>,
): Promise<T | null> {
  const { customerId } = signer;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const submission = await openToSign(tx, keys, signer);
    return submission === null ? null : work(tx, submission);
  });
}

/** The submission that a signer signs; null where it was destroyed. */
export async function openToSign(tx: Tx, keys: CustomerVault, signer: InvitedSigner): Promise<Submission | null> {
  const { customerId, formId, submissionId } = signer;
  const row = await selectSubmissions(tx, customerId, formId).where('s.id', '=', submissionId).executeTakeFirst();
  return row === undefined ? null : open(keys, customerId, row);
}
