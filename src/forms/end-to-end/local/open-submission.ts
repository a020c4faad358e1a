import { AppError } from '../../../platform/errors.ts';
import type { FormVersion } from '../../definition/compiled-versions.ts';
import { hashAnswers } from '../../submissions/accept.ts';
import { type Checked, checkSubmission } from '../../submissions/check-submission.ts';
import type { SubmittedFile } from '../../submissions/sealed-submission.ts';
import type { Submission } from '../../submissions/submission.ts';
import { submitterOf } from '../../submissions/submitter.ts';
import { readContent, type SealedContent } from '../content.ts';
import { loadAge } from './load-age.ts';
import type { LocalForm, WireSubmission } from './read-form.ts';

/** Why a submission cannot be opened, in words without any of its content. */
export class NotOpened extends Error {}

/** Opens what a browser has encrypted; throws NotOpened where it was not for this identity, this form or this version. */
export async function openContent(
  identities: readonly string[],
  form: LocalForm,
  { sealed, form_version: version }: WireSubmission,
): Promise<SealedContent> {
  const { openSealed } = await loadAge();
  const opened = await openSealed(identities, Buffer.from(sealed ?? '', 'base64')).catch(() => {
    throw new NotOpened('is not encrypted to this identity, or was changed');
  });
  const content = readContent(new TextDecoder().decode(opened));
  if (content === null) throw new NotOpened('is not what the page of a form sends');
  if (content.form !== form.id || content.version !== version) throw new NotOpened('was made for another form');
  return content;
}

/** A submission as it would be had the server been able to read it, and what does not fit its form. */
export interface Judged {
  submission: Submission;
  problems: Record<string, string[]>;
}

/** Holds what was opened against the form by the rules that the server has for others. */
export function judgeContent(
  form: LocalForm,
  version: FormVersion,
  { id, created_at }: WireSubmission,
  { content, files }: { content: SealedContent; files: SubmittedFile[] },
): Judged {
  const createdAt = new Date(created_at);
  const { checked, problems } = check(version, content, files, createdAt);
  const { answers, asked, unasked, signature } = checked;
  const signed = signature !== null && {
    name: signature.name,
    method: signature.method,
    image: signature.image?.toString('base64') ?? null,
    signedAt: createdAt.toISOString(),
    consentText: version.signature_confirmation_label,
    formVersion: version.version,
    formHash: version.hash,
    answersHash: hashAnswers(answers, { files }),
    // The server could not bind what it did not see.
    proof: '',
  };
  const submission: Submission = {
    id,
    formId: form.id,
    formVersion: version.version,
    createdAt,
    submitterEmail: submitterOf(version.model, asked),
    answers,
    unasked,
    files: checked.files,
    signature: signed || null,
    amendments: [],
    signers: [],
  };
  return { submission, problems };
}

function check(version: FormVersion, content: SealedContent, files: SubmittedFile[], now: Date) {
  const { answers, signature } = content;
  const sent = { formData: answers, signature, formVersion: version.version, files };
  try {
    return { checked: checkSubmission(version, sent, now), problems: {} };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const checked: Checked = { answers, asked: answers, unasked: [], files, signature: null };
    return { checked, problems: error.fields };
  }
}
