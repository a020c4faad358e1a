import type { SubmittedFile } from '../submissions/sealed-submission.ts';
import { ownText } from './extensions.ts';
import { fhirCode, fhirText } from './fhir-text.ts';
import type { Attachment } from './resources.ts';

/**
 * A file that was sent along, by its address. The hash of an Attachment is SHA-1, for which the whole file would have
 * to be read; the SHA-256 that was taken when it came stands in an extension of ours.
 */
export function attachmentOf(
  { id, name, type, size, sha256 }: SubmittedFile,
  submission: { id: string; formId: string },
  publicUrl: string,
): Attachment {
  const title = fhirText(name);
  return {
    extension: ownText('sha256', sha256),
    contentType: fhirCode(type),
    url: `${publicUrl}/v1/forms/api/forms/${submission.formId}/submissions/${submission.id}/attachments/${id}`,
    size,
    ...(title === undefined ? {} : { title }),
  };
}

/** A signature as an Attachment: what was drawn, or else the name that was typed. */
export function signatureAttachment(answer: unknown): Attachment {
  const { name, image } = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  const drawn = [image, answer].find((each) => typeof each === 'string' && each.startsWith('data:')) as
    | string
    | undefined;
  const [, contentType = '', data = ''] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(drawn ?? '') ?? [];
  const typed = [name, answer].find((each) => typeof each === 'string' && each !== drawn) as string | undefined;
  const title = fhirText(typed) ?? 'Signature';
  if (contentType !== '') return { contentType, data: data.replaceAll(/\s/g, ''), title };
  return { contentType: 'text/plain', data: Buffer.from(title).toString('base64'), title };
}
