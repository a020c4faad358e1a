import type { FormVersion } from '../definition/compiled-versions.ts';
import { type SignerRule, signersOf } from '../signing/signers-of.ts';
import { AUTHOR_SIGNATURE, ownUrl, STANDARD } from './extensions.ts';
import { fhirText } from './fhir-text.ts';
import type { Extension } from './resources.ts';
import { translated } from './translations.ts';

/** Who signs a form and what they confirm; `labels` is what the sender confirms, by language. */
export function signingExtensions(
  { signable, signature_confirmation_label: label, form_json: formJson }: FormVersion,
  labels: ReadonlyMap<string, string | null>,
): Extension[] {
  const required = { url: STANDARD.signatureRequired, valueCodeableConcept: { coding: [AUTHOR_SIGNATURE] } };
  return [...(signable ? [required] : []), ...labelOf(label, labels), ...signersOf(formJson).flatMap(signerOf)];
}

function labelOf(label: string | null, labels: ReadonlyMap<string, string | null>): Extension[] {
  const valueString = fhirText(label);
  const others = translated(label, labels);
  if (valueString === undefined && others === null) return [];
  return [
    {
      url: ownUrl('signature-label'),
      ...(valueString === undefined ? {} : { valueString }),
      ...(others === null ? {} : { _valueString: others }),
    },
  ];
}

function signerOf({ role, label, emailQuestion, required }: SignerRule): Extension[] {
  if (fhirText(role) === undefined) return [];
  const extension = [
    ...part('role', role),
    ...part('label', label),
    ...part('email-question', emailQuestion),
    { url: 'required', valueBoolean: required },
  ];
  return [{ url: ownUrl('signer'), extension }];
}

function part(url: string, text: string | null): Extension[] {
  const valueString = fhirText(text);
  return valueString === undefined ? [] : [{ url, valueString }];
}
