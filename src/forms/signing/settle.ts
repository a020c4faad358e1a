import { recordAct, type SigningKey } from '../../accounts/index.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormVersion } from '../definition/compiled-versions.ts';
import type { DraftDeps } from '../drafts/draft.ts';
import { hashAnswers } from '../submissions/accept.ts';
import { bindSignature, type GivenSignature } from '../submissions/signature.ts';
import type { Submission } from '../submissions/submission.ts';
import { actOf, type InvitedSigner } from './find-signer.ts';
import { openToSign } from './read-signed.ts';
import { awaitedSignatures } from './signatures.ts';
import { sealEvidence } from './signer.ts';
import { tellSigned } from './tell-signed.ts';
import '../tables.ts';

interface Deps extends DraftDeps {
  signingKey: SigningKey;
}

/** What somebody signs with, and what was in front of them. */
interface Given {
  signature: GivenSignature;
  consentText: string;
  version: FormVersion;
}

/** Adds the signature of somebody; false where there is nothing to sign any more, or they have answered before. */
export async function sign(deps: Deps, signer: InvitedSigner, given: Given, requestId: string): Promise<boolean> {
  const { db, vault, clock, signingKey } = deps;
  const { customerId, id, formId, submissionId, role } = signer;
  const keys = await vault.of(customerId);
  return db.tenant([customerId], async (tx) => {
    const key = await answer(tx, deps, signer, 'signed', requestId);
    const submission = key === null ? null : await openToSign(tx, keys, signer);
    if (key === null || submission === null) return false;
    const evidence = bindSignature(signingKey, { submissionId, formId, role }, given.signature, {
      signedAt: clock.now().toISOString(),
      consentText: given.consentText,
      ...titleOf(submission),
      formVersion: given.version.version,
      formHash: given.version.hash,
      answersHash: hashAnswers(submission.answers, submission),
    });
    await tx
      .insertInto('submission_signatures')
      .values({
        signer_id: id,
        customer_id: customerId,
        submission_id: submissionId,
        sealed: sealEvidence(keys, { customerId, id: submissionId, key }, id, evidence),
        at: clock.now(),
      })
      .execute();
    // Each waits for the others at the key, so that only the last one tells.
    if (awaitedSignatures(submission) === 0 && submission.signers.find((each) => each.id === id)?.required) {
      await tellSigned(tx, clock, { customerId, formId, submissionId });
    }
    return true;
  });
}

/** What the form was called that they read, where that was kept. */
function titleOf({ shown }: Submission): { title?: string; language?: string } {
  return shown === undefined ? {} : { title: shown.title, language: shown.language };
}

/** Notes that somebody does not sign; false where there is nothing to decline any more. */
export async function decline(deps: DraftDeps, signer: InvitedSigner, requestId: string): Promise<boolean> {
  return deps.db.tenant([signer.customerId], async (tx) => {
    return (await answer(tx, deps, signer, 'declined', requestId)) !== null;
  });
}

/** Takes the one answer of a signer, and gives the submission's key, which nobody destroys meanwhile. */
async function answer(
  tx: Tx,
  { clock }: DraftDeps,
  signer: InvitedSigner,
  state: 'signed' | 'declined',
  requestId: string,
): Promise<Buffer | null> {
  const { customerId, id, formId, submissionId, tokenHash } = signer;
  const row = await tx
    .selectFrom('submission_keys')
    .select('key')
    .where('customer_id', '=', customerId)
    .where('submission_id', '=', submissionId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const taken = await tx
    .updateTable('submission_signers')
    .set({ state, settled_at: clock.now() })
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', clock.now())
    .returning('id')
    .executeTakeFirst();
  if (taken === undefined) return null;
  const act = actOf(signer, 'recipient', `signer.${state}`, requestId);
  await recordAct(tx, clock, act, { target: submissionId, details: { form: formId, signer: id } });
  return row.key;
}
