import { type Static, Type } from 'typebox';
import type { SigningKey } from '../../accounts/index.ts';
import { asAmended } from '../rights/amendment.ts';
import { awaitedSignatures, judgedSignatures } from '../signing/signatures.ts';
import { isGenuine } from '../submissions/signature.ts';
import type { Submission } from '../submissions/submission.ts';
import { AmendmentReply, describeAmendment } from './amendment-reply.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

/** A submission on the wire. `form_data` is JSON in a string, as clients in the field expect it. */
export const SubmissionReply = Type.Object({
  id: Type.String({ format: 'uuid' }),
  form_id: Type.String({ format: 'uuid' }),
  form_data: Type.String(),
  sealed: Type.Union([Type.String(), Type.Null()], {
    description: 'What was encrypted end to end, as an age file in base64; form_data is then empty',
  }),
  storage_type: Type.String(),
  storage_url: Text,
  submitter_email: Text,
  recipients: Text,
  attachment_name: Text,
  attachment_url: Text,
  attachment_type: Text,
  attachment: Text,
  created_at: Type.String({ format: 'date-time' }),
  attachments: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      name: Type.String(),
      type: Type.String(),
      size: Type.Integer(),
      sha256: Type.String(),
      field: Text,
    }),
  ),
  signature: Type.Union([
    Type.Object({
      name: Text,
      method: Type.String(),
      image: Text,
      signed_at: Type.String({ format: 'date-time' }),
      consent_text: Text,
      form_version: Type.Integer(),
      form_hash: Type.String(),
      answers_hash: Type.String(),
      proof: Type.String(),
      genuine: Type.Boolean({ description: 'Whether the proof holds for this submission' }),
    }),
    Type.Null(),
  ]),
  signatures: Type.Array(
    Type.Object({
      role: Type.String({ description: 'signer for whoever sent the form' }),
      name: Text,
      method: Type.String(),
      signed_at: Type.String({ format: 'date-time' }),
      genuine: Type.Boolean({ description: 'Whether the proof holds for this submission and this role' }),
    }),
  ),
  awaiting_signatures: Type.Integer({ description: 'How many who must sign have not' }),
  form_version: Type.Integer(),
  unasked: Type.Array(Type.String(), { description: 'Keys of answers that no question asked for' }),
  amended: Type.Boolean({ description: 'Whether anything was set right or said against it since' }),
  amended_form_data: Type.Union([Type.String(), Type.Null()], {
    description: 'The answers that are right now, as form_data; null where none was amended',
  }),
  amendments: Type.Array(AmendmentReply),
});

interface About {
  recipient: string | null;
  publicUrl: string;
  signingKey: SigningKey;
}

/** Describes a submission to its customer. */
export function describeSubmission(
  submission: Submission,
  { recipient, publicUrl, signingKey }: About,
): Static<typeof SubmissionReply> {
  const { id, formId, files } = submission;
  const [first] = files;
  const base = `${publicUrl}/v1/forms/api/forms/${formId}/submissions/${id}/attachments`;
  return {
    id,
    form_id: formId,
    form_data: JSON.stringify(submission.answers),
    sealed: submission.endToEnd ?? null,
    storage_type: 'sealed',
    storage_url: null,
    submitter_email: submission.submitterEmail,
    recipients: recipient,
    attachment_name: first?.name ?? null,
    attachment_url: first === undefined ? null : `${base}/${first.id}`,
    attachment_type: first?.type ?? null,
    attachment: null,
    created_at: submission.createdAt.toISOString(),
    attachments: files,
    signature: describeSignature(submission, signingKey),
    signatures: judgedSignatures(submission, signingKey).map(({ role, name, method, signedAt, genuine }) => {
      return { role, name, method, signed_at: signedAt, genuine };
    }),
    awaiting_signatures: awaitedSignatures(submission),
    form_version: submission.formVersion,
    unasked: submission.unasked,
    amended: submission.amendments.length > 0,
    amended_form_data: submission.amendments.some(({ changes }) => changes !== null)
      ? JSON.stringify(asAmended(submission).answers)
      : null,
    amendments: submission.amendments.map(describeAmendment),
  };
}

function describeSignature({ id, formId, signature }: Submission, signingKey: SigningKey) {
  if (signature === null) return null;
  return {
    name: signature.name,
    method: signature.method,
    image: signature.image,
    signed_at: signature.signedAt,
    consent_text: signature.consentText,
    form_version: signature.formVersion,
    form_hash: signature.formHash,
    answers_hash: signature.answersHash,
    proof: signature.proof,
    genuine: isGenuine(signingKey, { submissionId: id, formId }, signature),
  };
}
