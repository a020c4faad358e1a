import { createHash } from 'node:crypto';
import type { FormVersion } from '../definition/compiled-versions.ts';
import type { Heading } from '../definition/heading.ts';
import { blocksOf } from '../export/pdf.ts';
import { whatWasAskedThen } from '../model/asked.ts';
import { todayAt } from '../model/today.ts';
import { toExported } from '../submissions/export.ts';
import { asShown } from '../submissions/shown-form.ts';
import type { Evidence } from '../submissions/signature.ts';
import type { Submission } from '../submissions/submission.ts';
import { type CertificateRecord, RECORD_KIND } from './check/record.ts';
import type { SealKey } from './seal-key.ts';

/** A signature with the part in which somebody gave it. */
export interface SignedAs extends Evidence {
  role: string;
}

/** Who signed a submission, and whether nobody is still to sign. */
export interface Signing {
  signatures: SignedAs[];
  complete: boolean;
}

/** What a certificate is made of. */
export interface Certified extends Signing {
  submission: Submission;
  /** How the form is headed now, for submissions that did not keep how it was. */
  heading: Heading;
  version: FormVersion;
  sealKey: SealKey;
  at: Date;
  publicUrl: string;
}

/** All that a certificate says of a submission: as it came and was signed, whatever was amended since. */
export function certificateRecord(
  certified: Certified,
  stamp: Pick<CertificateRecord, 'time_stamp' | 'time_authorities'>,
): CertificateRecord {
  const { submission, heading, version, signatures, complete, sealKey, at, publicUrl } = certified;
  const { id, createdAt, answers, files } = submission;
  const { title, language, model } = asShown(submission, version, heading);
  const exported = toExported(submission, model);
  const isAsked = whatWasAskedThen(model, submission, todayAt(createdAt));
  return {
    kind: RECORD_KIND,
    form: { id: submission.formId, title, language, version: version.version, hash: version.hash },
    submission: { id, received_at: createdAt.toISOString() },
    shown: blocksOf({ title, submission: exported, model, signable: version.signable, isAsked }),
    answers,
    unasked: submission.unasked,
    attachments: files.map(({ id: fileId, name, type, size, sha256 }) => ({ id: fileId, name, type, size, sha256 })),
    signatures: signatures.map((each) => ({
      role: each.role,
      name: each.name,
      method: each.method,
      image: each.image,
      signed_at: each.signedAt,
      consent_text: each.consentText,
      form_version: each.formVersion,
      form_hash: each.formHash,
      answers_hash: each.answersHash,
      proof: each.proof,
    })),
    complete,
    made_at: at.toISOString(),
    sealed_by: sealKey.certificates.map((der) => createHash('sha256').update(der).digest('hex')),
    ...stamp,
    verify_url: `${publicUrl}/verify`,
  };
}
