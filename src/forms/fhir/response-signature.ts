import type { Evidence } from '../submissions/signature.ts';
import { AUTHOR_SIGNATURE, ownText, ownUrl, STANDARD } from './extensions.ts';
import { fhirCode, fhirText } from './fhir-text.ts';
import type { Coding, Extension } from './resources.ts';

const NOBODY_NAMED = 'Whoever submitted the form';

/**
 * A signature of a submission: who signed, when, and the mark, or the name where it was typed. Whoever sent it is its
 * author; others sign in a role, which is the type of theirs. What proves it is not FHIR's: our own evidence stands in
 * extensions.
 */
export function signatureExtension(evidence: Evidence, role: string | null): Extension {
  const { name, image, method, signedAt, consentText, formHash, answersHash, proof } = evidence;
  const who = fhirText(name) ?? fhirText(role) ?? NOBODY_NAMED;
  return {
    url: STANDARD.signature,
    valueSignature: {
      extension: [
        ...ownText('signature-method', method),
        ...ownText('consent-text', consentText),
        ...ownText('form-hash', formHash),
        ...ownText('answers-hash', answersHash),
        ...ownText('proof', proof),
      ],
      type: [role === null ? AUTHOR_SIGNATURE : roleCoding(role)],
      when: signedAt,
      who: { display: who },
      sigFormat: image === null ? 'text/plain' : typeOfImage(image),
      data: image ?? Buffer.from(who).toString('base64'),
    },
  };
}

/** FHIR's types of signatures do not know the roles that a form makes up. */
function roleCoding(role: string): Coding {
  return { system: ownUrl('signer-role'), code: fhirCode(role), display: fhirText(role) ?? '-' };
}

/** A picture in base64 is a PNG or a JPEG, which begin differently. */
function typeOfImage(image: string): string {
  return image.startsWith('/9j/') ? 'image/jpeg' : 'image/png';
}
