import type { Checked } from './check-certificate.ts';

const NOT_COMPARED =
  'The key was NOT compared: whoever made the file may have sealed it with a key of their own. Compare its fingerprint with the one that the clinic gives you.';

const NO_AUTHORITY_COMPARED =
  'The authority for time was NOT compared: the installation chose it. Compare the fingerprint of its certificate with one that the authority publishes.';
/** What begins lines of its own, hides others or turns them round. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What a sound certificate says, line by line: what, who, when, by whom. */
export function tellCertificate({ record, sealedBy, fingerprint, isCompared, timeStamp }: Checked): string[] {
  const { form, submission, signatures, attachments } = record;
  const lines = [
    'This certificate is unchanged.',
    `Form: ${form.title} (${form.id}), version ${form.version}, hash ${form.hash}`,
    `Submission: ${submission.id}, received ${submission.received_at}`,
    ...signatures.map(
      ({ role, name, method, signed_at: at }) => `Signed (${role}): ${name ?? 'no name given'}, ${method}, ${at}`,
    ),
    ...(record.complete ? [] : ['Others are still to sign.']),
    ...attachments.map(({ name, size, sha256 }) => `Attachment: ${name}, ${size} bytes, SHA-256 ${sha256}`),
    `Sealed: ${record.made_at} by ${sealedBy}, key ${fingerprint}`,
    timeStamp === null
      ? `Time stamp: none${record.time_stamp === 'away' ? '; the authority could not be reached' : ''}`
      : `Time stamp: ${timeStamp.at.toISOString()} by ${timeStamp.by}, certificate ${timeStamp.fingerprint}`,
    ...(timeStamp === null ? [] : [NO_AUTHORITY_COMPARED]),
    isCompared ? 'The key is the expected one.' : NOT_COMPARED,
  ];
  return lines.map((line) => line.replace(MISLEADING, '\ufffd'));
}
