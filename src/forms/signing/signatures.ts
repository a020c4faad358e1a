import type { SigningKey } from '../../accounts/index.ts';
import type { SignedAs, Signing } from '../certificate/certificate-record.ts';
import { isGenuine } from '../submissions/signature.ts';
import type { Submission } from '../submissions/submission.ts';

/** The part in which whoever sends a form signs it. */
const SENDER = 'signer';

/** Everybody who signed a submission, whoever sent it first, and whether nobody is still to sign. */
export function signingOf(submission: Submission): Signing {
  return { signatures: signaturesOf(submission), complete: awaitedSignatures(submission) === 0 };
}

/** How many signatures are still wanted; who may sign but need not is not waited for. */
export function awaitedSignatures({ signers }: Submission): number {
  return signers.filter(({ required, state }) => required && state !== 'signed').length;
}

/** Everybody who signed, each with whether the proof holds for this submission and this part. */
export function judgedSignatures(submission: Submission, signingKey: SigningKey): (SignedAs & { genuine: boolean })[] {
  const bound = { submissionId: submission.id, formId: submission.formId };
  return signaturesOf(submission).map(({ role, ...evidence }, place) => {
    // Whoever sent the form comes first, and signed in no part of its own.
    const isSender = place === 0 && submission.signature !== null;
    return { role, ...evidence, genuine: isGenuine(signingKey, isSender ? bound : { ...bound, role }, evidence) };
  });
}

function signaturesOf({ signature, signers }: Submission): SignedAs[] {
  const sender = signature === null ? [] : [{ ...signature, role: SENDER }];
  const others = signers.flatMap(({ role, signature: given }) => (given === null ? [] : [{ ...given, role }]));
  return [...sender, ...others];
}
