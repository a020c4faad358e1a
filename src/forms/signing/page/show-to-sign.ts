import type { FastifyReply } from 'fastify';
import type { FormVersion } from '../../definition/compiled-versions.ts';
import { viewOfSubmission } from '../../history/past-page.ts';
import { readHeading } from '../../page/find-form.ts';
import { sendHtml } from '../../page/send-html.ts';
import type { ShownSignature } from '../../page/view.ts';
import { wordsOf } from '../../page/words/words-of.ts';
import type { InvitedSigner } from '../find-signer.ts';
import { readToSign } from '../read-signed.ts';
import { issuePass } from '../session.ts';
import { ruleOf } from '../signers-of.ts';
import { signPage } from './signing-pages.ts';
import { type SignerVisit, type SigningDeps, sendGone } from './visit.ts';

interface Shown {
  language: string;
  given: ShownSignature | null;
  problems: string[];
}

/** Shows what is to be signed to somebody who has shown a code, for another hour. */
export async function showToSign(deps: SigningDeps, visit: SignerVisit, shown: Shown): Promise<FastifyReply> {
  const { signer, base, request, reply, assets } = visit;
  const submission = await readToSign(deps, signer, request.id);
  if (submission === null) return sendGone(visit);
  const version = await versionOf(deps, signer);
  const heading = await readHeading(deps, { id: signer.formId, customerId: signer.customerId });
  const page = signPage({
    ...shown,
    view: viewOfSubmission(submission, version, heading),
    files: submission.files,
    signerId: signer.id,
    role: signer.role,
    consentText: consentOf(version, signer, shown.language),
    base,
    pass: issuePass(deps, signer),
    script: assets?.script ?? null,
  });
  return sendHtml(reply.code(shown.problems.length === 0 ? 200 : 422), [], page);
}

/** The version of the form that was filled in. */
export async function versionOf({ findVersion }: SigningDeps, signer: InvitedSigner): Promise<FormVersion> {
  const { formId: id, customerId, formVersion } = signer;
  return (await findVersion({ id, customerId }, formVersion)) as FormVersion; // versions are never removed
}

/** What a signer confirms: the words of the form, or else those of the page. */
export function consentOf(version: FormVersion, signer: InvitedSigner, language: string): string {
  return ruleOf(version.form_json, signer).label ?? wordsOf(language).say('signConfirm');
}
